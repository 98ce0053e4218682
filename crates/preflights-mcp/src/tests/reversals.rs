//! What is rejected, replaced, compared or asked about is never taken for what is wanted.

use crate::domain::bank::Bank;
use crate::domain::request::understand;

/// Frames in which `A` gives way to `B`, or is spoken against or asked about; one per line. Where
/// one begins with `+`, `B` has to be found.
const FRAMES: &str = include_str!("reversals.txt");

/// The question, a value of it, and another.
const PAIRS: [(&str, &str, &str); 8] = [
    ("db_type", "PostgreSQL", "MySQL"),
    ("db_type", "SQLite", "MongoDB"),
    ("cache_store", "Redis", "Memcached"),
    ("search_engine", "Elasticsearch", "Meilisearch"),
    ("messaging_broker", "Kafka", "RabbitMQ"),
    ("deploy_target", "Vercel", "Kubernetes"),
    ("auth_strategy", "OAuth", "Magic Links"),
    ("ci_platform", "Jenkins", "GitLab CI"),
];

#[test]
fn nothing_that_is_spoken_against_is_ever_wanted() {
    let (mut wrong, mut n_frames) = (Vec::new(), 0);
    for frame in FRAMES.lines().filter(|it| !it.trim().is_empty() && !it.starts_with('#')) {
        n_frames += 1;
        let (is_needed, frame) = match frame.strip_prefix("+ ") {
            Some(frame) => (true, frame),
            None => (false, frame),
        };
        for (id, rejected, wanted) in PAIRS {
            let text = frame.replace("{A}", rejected).replace("{B}", wanted);
            let request = understand(Bank::embedded(), &text, None, &|_| false);
            let values = request.values_of(id);
            let named: Vec<&str> = values.wanted.iter().map(|it| it.value.as_str()).collect();
            let is_brought = request.others.iter().any(|(name, _)| name == rejected);
            let fits = named.is_empty() || (frame.contains("{B}") && named == [wanted]);
            // Silence is not understanding: where it must be found, it is.
            let misses = is_needed && named != [wanted];
            if !fits || is_brought || misses {
                wrong.push(format!("{text}\n    taken: {named:?} {:?}", request.others));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_frames >= 200, "only {n_frames} frames");
}
