//! Who may talk to us: checked by host, origin and token before anything else.
//!
//! A web page can send requests to a server on the user's own machine. It cannot forge the `Origin`
//! header, nor hide the name it reached us by.

use std::net::{IpAddr, SocketAddr};

use axum::body::Body;
use axum::extract::Request;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use subtle::ConstantTimeEq as _;

use super::HttpSettings;

const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

const ALLOWED_METHODS: &str = "GET, POST, DELETE, OPTIONS";
const ALLOWED_HEADERS: &str = "Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, \
                               Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id";
const EXPOSED_HEADERS: &str = "Mcp-Session-Id, WWW-Authenticate";

/// A secret that never shows up in logs or messages.
#[derive(Clone)]
pub struct Token(String);

impl Token {
    /// `None` for a text that is too short to be a secret.
    pub fn new(secret: &str) -> Option<Self> {
        let secret = secret.trim();
        (secret.len() >= 8).then(|| Self(secret.to_owned()))
    }

    fn matches(&self, offered: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(offered).into()
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token(…)")
    }
}

pub(super) struct Admission {
    hosts: Vec<String>,
    origins: Vec<String>,
    token: Option<Token>,
}

/// A request that may go on, with the origin to name in the answer.
#[derive(Clone)]
pub(super) struct Admitted {
    origin: Option<HeaderValue>,
}

impl Admission {
    pub(super) fn new(settings: &HttpSettings, address: SocketAddr) -> Self {
        let mut hosts: Vec<String> = LOOPBACK.map(str::to_owned).into();
        if !address.ip().is_unspecified() {
            hosts.push(address.ip().to_string());
        }
        hosts.extend(settings.allow_hosts.iter().map(|host| host.to_lowercase()));
        let origins = settings.allow_origins.iter();
        let origins = origins.map(|origin| origin.trim_end_matches('/').to_lowercase()).collect();
        Self { hosts, origins, token: settings.token.clone() }
    }

    pub(super) fn check(&self, request: &Request) -> Result<Admitted, Box<Response>> {
        let headers = request.headers();
        for name in [header::HOST, header::ORIGIN, header::AUTHORIZATION] {
            if headers.get_all(&name).iter().count() > 1 {
                let message = format!("the header `{name}` is there more than once\n");
                return refuse(StatusCode::BAD_REQUEST, message);
            }
        }
        let Some(host) = host_of(request) else {
            let message = "`Host` is missing, or names something else than the address\n";
            return refuse(StatusCode::BAD_REQUEST, message.to_owned());
        };
        if !self.host_allowed(&host) {
            let host = crate::text::one_line(&host);
            let host = crate::text::cut(&host, 100);
            return refuse(
                StatusCode::FORBIDDEN,
                format!("host not allowed: {host} (start the server with --allow-host)\n"),
            );
        }
        let origin = headers.get(header::ORIGIN);
        if let Some(origin) = origin
            && !origin.to_str().is_ok_and(|origin| self.origin_allowed(origin))
        {
            return refuse(
                StatusCode::FORBIDDEN,
                "origin not allowed (start the server with --allow-origin)\n".to_owned(),
            );
        }
        let admitted = Admitted { origin: origin.cloned() };
        // A browser sends its preflight without credentials, health is no secret, and who looks
        // for a description of how to log in is told that there is none.
        let path = request.uri().path();
        let open = admitted.is_preflight(request)
            || path == "/healthz"
            || path.starts_with("/.well-known/");
        if !open && !self.token_fits(headers) {
            let message = "a token is required: send the header `Authorization: Bearer <token>` \
                           with the one that the server was started with\n";
            let mut response = (StatusCode::UNAUTHORIZED, message).into_response();
            response
                .headers_mut()
                .insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            return Err(Box::new(admitted.expose(response)));
        }
        Ok(admitted)
    }

    fn host_allowed(&self, host: &str) -> bool {
        let Some(host) = Place::parse(host) else { return false };
        self.hosts.iter().filter_map(|it| Place::parse(it)).any(|allowed| {
            allowed.name == host.name && (allowed.port.is_none() || allowed.port == host.port)
        })
    }

    fn origin_allowed(&self, origin: &str) -> bool {
        let origin = origin.to_lowercase();
        if self.origins.contains(&origin) {
            return true;
        }
        let authority = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        let place = authority.and_then(Place::parse);
        place.is_some_and(|it| LOOPBACK.contains(&it.name.as_str()))
    }

    fn token_fits(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let offered = headers.get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
        let offered = offered.unwrap_or_default();
        match offered.split_at_checked(7) {
            Some((scheme, secret)) if scheme.eq_ignore_ascii_case(b"bearer ") => {
                token.matches(secret.trim_ascii())
            }
            _ => false,
        }
    }
}

impl Admitted {
    pub(super) fn is_preflight(&self, request: &Request) -> bool {
        self.origin.is_some() && request.method() == Method::OPTIONS
    }

    /// The answer to a preflight.
    pub(super) fn allow(&self, response: Response, request: &Request) -> Response {
        let mut response = self.expose(response);
        let headers = response.headers_mut();
        headers.insert(
            header::ACCESS_CONTROL_ALLOW_METHODS,
            HeaderValue::from_static(ALLOWED_METHODS),
        );
        // Parameters may be mirrored into headers of any name, so what is asked for is allowed.
        let allowed = HeaderValue::from_static(ALLOWED_HEADERS);
        headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, allowed);
        if let Some(asked) = request.headers().get(header::ACCESS_CONTROL_REQUEST_HEADERS) {
            headers.append(header::ACCESS_CONTROL_ALLOW_HEADERS, asked.clone());
        }
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600"));
        response
    }

    /// Lets the page that asked read the answer.
    pub(super) fn expose(&self, mut response: Response<Body>) -> Response {
        if let Some(origin) = &self.origin {
            let headers = response.headers_mut();
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
            headers.insert(
                header::ACCESS_CONTROL_EXPOSE_HEADERS,
                HeaderValue::from_static(EXPOSED_HEADERS),
            );
            headers.append(header::VARY, HeaderValue::from_static("Origin"));
        }
        response
    }
}

fn refuse(status: StatusCode, message: String) -> Result<Admitted, Box<Response>> {
    Err(Box::new((status, message).into_response()))
}

/// What the client says it addresses. A request that names its target in full must name the same.
fn host_of(request: &Request) -> Option<String> {
    let header = request.headers().get(header::HOST).map(|host| host.to_str().ok());
    let named = request.uri().authority().map(Authority::as_str);
    match (header, named) {
        (Some(header), None) => header.map(str::to_owned),
        (None, Some(named)) => Some(named.to_owned()),
        (Some(header), Some(named)) => {
            let header = header?;
            (Place::parse(header)? == Place::parse(named)?).then(|| header.to_owned())
        }
        (None, None) => None,
    }
}

/// A name and perhaps a port, and nothing else: no user, no path, nothing behind it.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    name: String,
    port: Option<u16>,
}

impl Place {
    fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        // An IPv6 address may stand without brackets where no port is given.
        if text.parse::<IpAddr>().is_ok() {
            return Some(Self { name: text, port: None });
        }
        let (name, rest) = if let Some(inner) = text.strip_prefix('[') {
            let (address, rest) = inner.split_once(']')?;
            address.parse::<std::net::Ipv6Addr>().ok()?;
            (address, rest)
        } else {
            let (name, rest) = text.split_at(text.find(':').unwrap_or(text.len()));
            let plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'.' | b'-' | b'_');
            if name.is_empty() || !name.bytes().all(plain) {
                return None;
            }
            (name, rest)
        };
        let name = name.to_owned();
        let port = match rest.strip_prefix(':') {
            Some(digits) if digits.bytes().all(|it| it.is_ascii_digit()) => digits.parse().ok()?,
            None if rest.is_empty() => return Some(Self { name, port: None }),
            _ => return None,
        };
        Some(Self { name, port: Some(port) })
    }
}

/// Whatever a request says, only a loopback name without anything around it is let in. The first
/// line is its target, the others are its headers.
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) fn admit_anything(request: &str) {
    let mut lines = request.lines();
    let mut request = Request::builder().uri(lines.next().unwrap_or_default());
    for line in lines.take(16) {
        if let Some((name, value)) = line.split_once(": ") {
            request = request.header(name, value);
        }
    }
    let Ok(request) = &request.body(Body::empty()) else { return };
    let settings = HttpSettings::default();
    let admission = Admission::new(&settings, settings.address);
    if admission.check(request).is_err() {
        return;
    }
    let host = host_of(request).unwrap_or_default();
    let name = host.rsplit_once(':').filter(|(name, port)| {
        !name.is_empty() && port.bytes().all(|it| it.is_ascii_digit()) && !port.is_empty()
    });
    let name = name.map_or(host.as_str(), |(name, _)| name);
    let name = name.trim_start_matches('[').trim_end_matches(']').to_ascii_lowercase();
    let is_this_machine = LOOPBACK.contains(&name.as_str()) || host == "::1";
    assert!(is_this_machine, "`{host}` is none of this machine's names");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admission(allow_hosts: &[&str], allow_origins: &[&str]) -> Admission {
        let owned = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect();
        let settings = HttpSettings {
            address: SocketAddr::from(([127, 0, 0, 1], 8080)),
            token: Token::new("correct horse"),
            allow_hosts: owned(allow_hosts),
            allow_origins: owned(allow_origins),
            ..HttpSettings::default()
        };
        Admission::new(&settings, settings.address)
    }

    #[test]
    fn only_loopback_names_and_those_allowed_are_hosts() {
        let admission = admission(&["box.example", "other.example:9000"], &[]);
        for host in
            ["localhost", "127.0.0.1:8080", "[::1]:1", "BOX.example:80", "other.example:9000"]
        {
            assert!(admission.host_allowed(host), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "other.example",
            "127.0.0.1.nip.io",
            "",
            "[::1].evil.com",
            "[::1]evil.com:80",
            "localhost:80@evil.com",
            "user@localhost",
            "127.0.0.1:evil",
            "localhost:",
            "localhost:99999",
            "localhost/x",
            "localhost evil",
        ] {
            assert!(!admission.host_allowed(host), "{host}");
        }
    }

    #[test]
    fn only_loopback_origins_and_those_allowed_may_use_us_from_a_page() {
        let admission = admission(&[], &["https://app.example/"]);
        for origin in
            ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:1", "https://app.example"]
        {
            assert!(admission.origin_allowed(origin), "{origin}");
        }
        for origin in [
            "null",
            "https://evil.example",
            "http://localhost.evil.example",
            "http://app.example",
            "file://localhost",
            "http://localhost:3000.evil.com",
            "http://localhost:3000/x",
            "http://localhost@evil.com",
            "http://[::1].evil.com",
        ] {
            assert!(!admission.origin_allowed(origin), "{origin}");
        }
    }

    #[test]
    fn a_token_must_fit_to_the_last_byte() {
        let admission = admission(&[], &[]);
        let with = |value: &'static str| {
            HeaderMap::from_iter([(header::AUTHORIZATION, HeaderValue::from_static(value))])
        };
        assert!(admission.token_fits(&with("Bearer correct horse")));
        assert!(admission.token_fits(&with("bearer correct horse")));
        for wrong in [
            "Bearer correct hors",
            "Bearer correct horsee",
            "Basic correct horse",
            "correct horse",
            "",
        ] {
            assert!(!admission.token_fits(&with(wrong)), "{wrong}");
        }
        assert!(!admission.token_fits(&HeaderMap::new()));
        assert!(Token::new("short").is_none());
        assert!(!format!("{:?}", Token::new("correct horse")).contains("horse"));
    }
}
