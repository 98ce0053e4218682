//! Streamable HTTP on `/mcp`, the older pair on `/sse` and `/messages`, and `/healthz`.
//!
//! What rmcp's service leaves open is closed in front of it: who may connect, how large a body may
//! be, what a client is told when its message cannot be read.

mod admission;
mod body;
mod half_closed;
mod listen;
mod sessions;
mod sse;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{any_service, get};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::failure::Failure;
use crate::server::Server;
use admission::Admission;
use body::Budget;
use sessions::Sessions;

pub use admission::Token;
#[cfg(any(test, feature = "fuzzing"))]
pub(crate) use admission::admit_anything;

const MAX_BODY_BYTES: usize = 4 * 1024 * 1024;

/// After a signal no new connections are taken, and answers under way get this long.
const GRACE: Duration = Duration::from_millis(1200);

/// Sessions of the old era; the new one has none.
const MAX_SESSIONS: usize = 4096;
const SESSION_IDLE: Duration = Duration::from_mins(5);

/// Where to listen, and who may connect.
#[derive(Debug, Clone)]
pub struct HttpSettings {
    /// Port 0 takes any free port; an address other machines reach demands a token.
    pub address: SocketAddr,
    /// Also offer `/sse` and `/messages`.
    pub sse: bool,
    /// What clients have to send; `None` lets every client of this machine in.
    pub token: Option<Token>,
    /// Further names under which clients may address the server.
    pub allow_hosts: Vec<String>,
    /// Further origins whose pages may use the server.
    pub allow_origins: Vec<String>,
}

impl Default for HttpSettings {
    /// Any free port of this machine, for clients of this machine.
    fn default() -> Self {
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            sse: false,
            token: None,
            allow_hosts: Vec::new(),
            allow_origins: Vec::new(),
        }
    }
}

#[derive(Clone)]
struct Front {
    admission: Arc<Admission>,
    manager: Arc<LocalSessionManager>,
    sessions: Sessions,
    max_sessions: usize,
    bodies: Budget,
}

impl Front {
    fn new(settings: &HttpSettings, address: SocketAddr, idle: Duration, most: usize) -> Self {
        let mut sessions = LocalSessionManager::default();
        sessions.session_config.keep_alive = Some(idle);
        Self {
            admission: Arc::new(Admission::new(settings, address)),
            manager: Arc::new(sessions),
            sessions: Sessions::default(),
            max_sessions: most,
            bodies: Budget::default(),
        }
    }
}

/// Serves until `stop` is cancelled; `ready` is told the address once connections are accepted.
pub(super) async fn serve(
    server: Server,
    settings: HttpSettings,
    stop: CancellationToken,
    ready: impl FnOnce(SocketAddr),
) -> Result<(), Failure> {
    if !settings.address.ip().is_loopback() && settings.token.is_none() {
        let message = format!("{} can be reached from other machines", settings.address);
        return Err(Failure::new("token_required", message).hint(
            "Name an environment variable that holds a token with --token-env, or listen on 127.0.0.1.",
        ));
    }
    raise_file_limit();
    let listener = TcpListener::bind(settings.address).await.map_err(|error| {
        Failure::new("cannot_listen", format!("cannot listen on {}: {error}", settings.address))
            .hint("Choose another port; port 0 takes any free one.")
    })?;
    let address = listener.local_addr().unwrap_or(settings.address);
    let front = Front::new(&settings, address, SESSION_IDLE, MAX_SESSIONS);
    let cut_off = CancellationToken::new();
    let _end = tokio::spawn(cancel_later(stop.clone(), cut_off.clone()));
    let router = router(server, &settings, front, &stop, cut_off);
    ready(address);
    listen::run(listener, router, listen::most_connections(), stop).await;
    Ok(())
}

/// Streams that a client keeps open would otherwise keep us waiting for ever.
async fn cancel_later(stop: CancellationToken, cut_off: CancellationToken) {
    stop.cancelled().await;
    tokio::time::sleep(GRACE).await;
    cut_off.cancel();
}

fn router(
    server: Server,
    settings: &HttpSettings,
    front: Front,
    stop: &CancellationToken,
    cut_off: CancellationToken,
) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_cancellation_token(cut_off)
        .with_max_request_body_bytes(MAX_BODY_BYTES)
        .with_json_response(true)
        // Both are checked in front, for every path alike.
        .disable_allowed_hosts()
        .disable_allowed_origins();
    let for_sse = server.clone();
    let service = StreamableHttpService::new(
        move || Ok(server.for_new_connection()),
        front.manager.clone(),
        config,
    );
    let mcp =
        any_service(service).layer(middleware::from_fn_with_state(front.clone(), body::check));
    let mut router = Router::new().route("/mcp", mcp);
    if settings.sse {
        router = router.merge(sse::router(for_sse, stop.clone(), front.bodies.clone()));
    }
    router
        .route("/healthz", get(async || "ok\n"))
        .fallback(async || (StatusCode::NOT_FOUND, "not found: the endpoint is /mcp\n"))
        .layer(middleware::from_fn_with_state(front, admit))
}

async fn admit(State(front): State<Front>, request: Request, next: Next) -> Response {
    match front.admission.check(&request) {
        Ok(admitted) => {
            if admitted.is_preflight(&request) {
                return admitted.allow(StatusCode::NO_CONTENT.into_response(), &request);
            }
            let origin_only = admitted.clone();
            let response = next.run(request).await;
            origin_only.expose(response)
        }
        Err(refused) => *refused,
    }
}

/// A thousand clients are a thousand open files, and the default limit is often lower.
fn raise_file_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        if limit.current != limit.maximum {
            let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
            if let Err(error) = setrlimit(Resource::Nofile, raised) {
                tracing::debug!("the limit of open files stays as it is: {error}");
            }
        }
    }
}

#[cfg(test)]
mod tests;
