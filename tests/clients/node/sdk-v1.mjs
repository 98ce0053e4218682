// The TypeScript SDK 1.x, which opens with `initialize`.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { visitAll } from "./connect.mjs";

function transportTo(target) {
  if (target.http) return new StreamableHTTPClientTransport(new URL(target.http));
  if (target.sse) return new SSEClientTransport(new URL(target.sse));
  return new StdioClientTransport(target);
}

await visitAll(async (target) => {
  const client = new Client({ name: "plumbline-tests", version: "1.0.0" });
  const transport = transportTo(target);
  // The client tells its transport the version; 1.x keeps no public record of it.
  let negotiated = null;
  const tell = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    negotiated = version;
    tell?.(version);
  };
  await client.connect(transport);
  return { client, protocolVersion: () => negotiated };
});
