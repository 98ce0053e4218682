//! Both protocol eras over stdio: the handshake up to 2025-11-25, and stateless 2026-07-28.

mod elicitation;
mod handshake;
mod stateless;
mod subscriptions;
