//! Words and roles, one by one; whole requests are in `tests/requests.rs`.

use super::*;
use crate::domain::words::stem;

fn read(text: &str) -> Request {
    understand(Bank::embedded(), text, None, &|_| false)
}

fn values(list: &[Named]) -> Vec<&str> {
    list.iter().map(|it| it.value.as_str()).collect()
}

#[test]
fn forms_of_a_word_share_a_stem_and_lookalikes_do_not() {
    for (left, right) in [
        ("cache", "caching"),
        ("caches", "cached"),
        ("queue", "queues"),
        ("log", "logging"),
        ("queries", "query"),
        ("deploys", "deploy"),
        ("databases", "database"),
        ("throttling", "throttle"),
    ] {
        assert_eq!(stem(left), stem(right), "{left} {right}");
    }
    for (left, right) in [("auth", "author"), ("rest", "restore"), ("string", "str")] {
        assert_ne!(stem(left), stem(right), "{left} {right}");
    }
}

#[test]
fn a_refused_value_is_not_wanted() {
    let request = read("Add authentication, not OAuth");
    let strategy = request.values_of("auth_strategy");
    assert_eq!((values(&strategy.wanted), values(&strategy.refused)), (vec![], vec!["OAuth"]));
    assert_eq!(request.topics, ["Authentication"]);
}

#[test]
fn a_refusal_reaches_over_small_words_but_not_over_others() {
    let request = read("We do not want to use Redis for caching");
    assert_eq!(values(&request.values_of("cache_store").refused), ["Redis"]);
    let request = read("Do not forget to add Redis caching");
    assert_eq!(values(&request.values_of("cache_store").wanted), ["Redis"]);
}

#[test]
fn direction_is_understood() {
    for text in [
        "Migrate from PostgreSQL to MongoDB",
        "Migrate the database from PostgreSQL to MongoDB",
        "Replace PostgreSQL with MongoDB",
        "Switch PostgreSQL to MongoDB",
        "Use MongoDB instead of PostgreSQL",
        "Move away from PostgreSQL to MongoDB",
        "PostgreSQL should be replaced by MongoDB",
        "Use MongoDB rather than PostgreSQL",
        "Move to MongoDB from PostgreSQL",
        "Replace the order store PostgreSQL with MongoDB",
    ] {
        let request = read(text);
        let database = request.values_of("db_type");
        assert_eq!(values(&database.wanted), ["MongoDB"], "{text}");
        assert_eq!(values(&database.replaced), ["PostgreSQL"], "{text}");
    }
}

#[test]
fn what_is_dropped_has_no_successor() {
    let request = read("Drop Redis");
    assert_eq!(values(&request.values_of("cache_store").dropped), ["Redis"]);
    let request = read("Get rid of the cache");
    assert_eq!(request.dropped, ["Cache"]);
    let request = read("Remove the login button from the footer");
    assert_eq!(request.dropped, [""; 0]);
}

#[test]
fn a_name_with_several_meanings_follows_the_words_around_it() {
    assert_eq!(read("Add Redis").topics, ["Cache"]);
    let request = read("Add a message queue on Redis");
    assert_eq!(request.topics, ["Messaging"]);
    assert_eq!(values(&request.values_of("messaging_broker").wanted), ["Redis Streams"]);
    assert_eq!(request.values_of("cache_store"), &Values::default());
}

#[test]
fn the_words_a_value_was_named_by_are_kept() {
    let request = read("Store orders in a Postgres database");
    assert_eq!(request.values_of("db_type").wanted[0].words, "Postgres");
}

#[test]
fn several_topics_in_one_request_are_all_found() {
    let request = read("Add auth with a postgres database and Redis caching");
    assert_eq!(request.topics, ["Authentication", "Database", "Cache"]);
}

#[test]
fn values_in_the_context_count_for_the_topics_of_the_request() {
    let request =
        understand(Bank::embedded(), "Add authentication", Some("We agreed on OAuth."), &|_| false);
    assert_eq!(values(&request.values_of("auth_strategy").wanted), ["OAuth"]);
}

proptest::proptest! {
    #[test]
    fn any_text_is_read(text in "\\PC{0,80}") {
        drop(read(&text));
    }
}
#[test]
fn names_come_in_many_frames() {
    for (text, name) in [
        ("Pushover → ntfy. Their service keeps going down", "ntfy"),
        ("I would like Umbel in the backend, besides Sentry", "Umbel"),
        ("We have measured it, use quick-rs for that and not tokio", "quick-rs"),
        ("The search page is empty. Build it with Pagefind", "Pagefind"),
        ("tokio is not maintained any more. Move the loop to smolder", "smolder"),
        ("Take Bodega out and keep the timelines in GRDB instead", "GRDB"),
        ("editors ask for audio. there is this wagtailmedia thing, lets use that", "wagtailmedia"),
        ("The migrations are a pain. Let Flyway do it", "Flyway"),
    ] {
        let request = read(text);
        let others: Vec<&str> = request.others.iter().map(|it| it.0.as_str()).collect();
        assert_eq!(others, [name], "{text}");
        assert_eq!(request.work, Work::Feature, "{text}");
    }
}

#[test]
fn what_only_looks_like_a_name_brings_nothing() {
    for text in [
        "Add Publish/Unpublish to the menu of a post",
        "Settings → Privacy → Export should be a button",
        "It says New instead of who and what",
        "Use a read-only connection for the report",
        "We want to react to the signal",
    ] {
        let request = read(text);
        assert!(request.others.is_empty(), "{text}: {:?}", request.others);
        assert!(request.values.values().all(|it| it.wanted.is_empty()), "{text}");
    }
}

#[test]
fn another_major_version_is_a_decision_however_it_is_told() {
    for (text, raised) in [
        ("We need to get onto transformers v5", Some("5")),
        ("Raise the AWS provider to >= 7.0 everywhere", Some("7.0")),
        ("tokio 2 is out, move the runtime over", Some("2")),
        ("node 16 is long dead, .nvmrc to 22", Some("22")),
        ("We are stuck on 5.5.3. Take us to Elasticsearch 8.", Some("8")),
        ("Drop macOS 13: the target goes to macOS 15 everywhere", Some("15")),
        ("Security release: rails 8.1.3.1 to 8.1.4", None),
        ("spring boot 4.0.3 -> 4.0.5", None),
        ("Raise the memory limit to 8", None),
        ("Since the update to React 19 the menu crashes", None),
        ("The rule allows 0.0.0.0/0 by default", None),
    ] {
        let version = read(text).upgrade.map(|it| it.1.trim_start_matches('v').to_owned());
        assert_eq!(version.as_deref(), raised, "{text}");
    }
}

#[test]
fn what_is_spoken_of_elsewhere_is_taken_back_kept_or_told_of() {
    let request = read("Nobody uses Google here. Throw it out as sign-in and use GitHub instead");
    let providers = request.values_of("oauth_providers");
    assert_eq!(
        (values(&providers.wanted), values(&providers.dropped)),
        (vec!["GitHub"], vec!["Google"])
    );
    let request = read("We moved to SQLite last winter. Go back to MariaDB");
    assert_eq!(values(&request.values_of("db_type").wanted), ["MariaDB"]);
    let request = read("Go to MariaDB for the shop. Cache and queue stay on Redis");
    assert_eq!(request.topics, ["Database"]);
}

#[test]
fn every_run_of_words_has_a_role_also_over_the_ends_of_sentences() {
    for text in [
        "Anyone can edit; from now on only staff. Visitors stay: they see the list, and A and B remain.",
        "Throw it out: profile, (A) and B! Is X dead? Let Y do it - not Z",
        ". ; , : ! ? ( )",
    ] {
        let words = tokens(text);
        for start in 0..words.len() {
            for end in start + 1..=words.len() {
                let _ = role::role(&words, start, end, None);
                let _ = role::role(&words, start, end, Some((start, Role::Dropped)));
            }
        }
    }
}

#[test]
fn what_is_spoken_against_is_what_drop_it_means() {
    let request = read("kafka is overkill for us; rabbitmq is there anyway, drop it");
    assert_eq!(values(&request.values_of("messaging_broker").dropped), ["Kafka"]);
}

#[test]
fn files_that_move_into_a_place_are_not_given_up() {
    let text = "Keep MySQL, but move videos out of it into object storage";
    let request = read(text);
    let kinds = request.values_of("storage_kinds");
    assert!(kinds.replaced.is_empty() && kinds.dropped.is_empty(), "{kinds:?}");
}

#[test]
fn a_library_that_begins_like_its_framework_chooses_no_framework() {
    let text = "Use Django Channels for live updates of the score board";
    let request = read(text);
    assert!(request.values_of("backend_framework").wanted.is_empty());
    assert_eq!(request.values_of("realtime_transport").wanted[0].value, "Django Channels");
}

#[test]
fn a_figure_of_a_setting_is_no_version() {
    let raised = |text: &str| read(text).upgrade;
    assert_eq!(raised("server.yml: retry-limit-burst 60 -> 120"), None);
    assert_eq!(raised("eslint: max_line 90 → 100"), None);
    assert_eq!(raised("Spring Boot 3 to 4"), Some(("Spring Boot".to_owned(), "4".to_owned())));
}
