//! Which variables switch the client on, and what is said about those that make no sense.

use super::*;

#[track_caller]
fn complaint(variables: &[(&str, &str)]) -> String {
    shown(&config(variables).unwrap_err())
}

#[test]
fn without_a_provider_or_with_a_word_for_none_it_is_off() {
    let key = ("ANTHROPIC_API_KEY", KEY);
    assert!(config(&[key]).unwrap().is_none());
    for word in ["mock", "off", "None", " MOCK "] {
        assert!(config(&[key, ("DEMO_LLM_PROVIDER", word)]).unwrap().is_none(), "{word}");
    }
}

#[test]
fn an_unknown_provider_is_told_the_known_ones() {
    let said = complaint(&[("DEMO_LLM_PROVIDER", "gemini")]);
    let all = "anthropic, openai, openrouter, ollama, compatible, claude, mock, off, none";
    assert!(said.contains("DEMO_LLM_PROVIDER must be one of") && said.contains(all), "{said}");
    let plain = Names { off: None, ..NAMES };
    let error = Config::read(&plain, &lookup(&[("DEMO_LLM_PROVIDER", "mock")])).unwrap_err();
    assert!(!error.to_string().contains("mock"), "{error}");
}

#[test]
fn the_key_of_this_server_goes_before_the_plain_one() {
    let provider = ("DEMO_LLM_PROVIDER", "anthropic");
    let own = ("DEMO_ANTHROPIC_API_KEY", KEY);
    let plain = ("ANTHROPIC_API_KEY", "another");
    let found = config(&[provider, plain, own]).unwrap().unwrap();
    let line = found.describe();
    assert_eq!(
        line,
        "anthropic at api.anthropic.com, claude-sonnet-5-5, key from DEMO_ANTHROPIC_API_KEY"
    );
    let found = config(&[provider, plain]).unwrap().unwrap();
    assert!(found.describe().ends_with("key from ANTHROPIC_API_KEY"));
    let said = complaint(&[provider, ("OPENAI_API_KEY", KEY)]);
    assert!(said.contains("DEMO_ANTHROPIC_API_KEY is not set, nor is ANTHROPIC_API_KEY"), "{said}");
    let said = complaint(&[provider, ("ANTHROPIC_API_KEY", "two words")]);
    assert!(said.contains("holds characters that no key has"), "{said}");
}

#[test]
fn addresses_that_would_betray_the_key_are_refused() {
    let with = |url: &'static str| {
        complaint(&[
            ("DEMO_LLM_PROVIDER", "openai"),
            ("OPENAI_API_KEY", KEY),
            ("OPENAI_BASE_URL", url),
        ])
    };
    assert!(with("http://models.example/v1").contains("OPENAI_BASE_URL would send the key unenc"));
    assert!(with("https://me:secret@models.example").contains("must not hold a user name"));
    for url in ["models.example", "ftp://models.example", "https://", "file:///etc/passwd"] {
        assert!(with(url).contains("must be an http or https address"), "{url}");
    }
    assert!(with("https://models.example/v1?key=x").contains("must end with the path"));
}

#[test]
fn services_without_a_usual_model_or_address_ask_for_them() {
    let said = complaint(&[("DEMO_LLM_PROVIDER", "ollama")]);
    assert!(said.contains("DEMO_LLM_MODEL must name a model"), "{said}");
    let said = complaint(&[("DEMO_LLM_PROVIDER", "compatible"), ("DEMO_LLM_MODEL", "m")]);
    assert!(said.contains("DEMO_LLM_BASE_URL must name the address"), "{said}");
    let ollama = [("DEMO_LLM_PROVIDER", "ollama"), ("DEMO_LLM_MODEL", "m")];
    assert_eq!(config(&ollama).unwrap().unwrap().describe(), "ollama at localhost, m, no key");
}

#[test]
fn what_is_at_hand_is_found_where_no_provider_is_named() {
    let names = Names { model: Some("DEMO_MODEL"), ..NAMES };
    let find = |variables: &[(&str, &str)]| Config::find(&names, &lookup(variables)).unwrap();
    assert!(find(&[]).is_none());
    let openai = ("OPENAI_API_KEY", "k1");
    let anthropic = ("ANTHROPIC_API_KEY", "k2");
    assert_eq!(find(&[openai]).unwrap().provider(), "openai");
    let found = find(&[openai, anthropic, ("DEMO_MODEL", "m"), ("DEMO_LLM_MODEL", "n")]).unwrap();
    assert_eq!((found.provider(), found.model()), ("anthropic", Some("m")));
    let own = ("DEMO_LLM_BASE_URL", "http://localhost:1/v1");
    let found = find(&[openai, anthropic, own, ("DEMO_MODEL", "m")]).unwrap();
    assert_eq!(found.describe(), "compatible at localhost, m, no key");
    assert!(find(&[anthropic, ("DEMO_LLM_PROVIDER", "off")]).is_none());
}

#[test]
fn a_server_that_cannot_do_without_says_how_to_configure_one() {
    let said = shown(&Config::missing(&NAMES));
    for word in ["no language model is configured", "DEMO_LLM_PROVIDER", "DEMO_ANTHROPIC_API_KEY"] {
        assert!(said.contains(word), "{said}");
    }
}
