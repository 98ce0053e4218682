import { createServer, type IncomingMessage } from "node:http";

import { TodoStore } from "./store.ts";
import { InvalidTitle } from "./todo.ts";

export interface Answer {
  status: number;
  body: unknown;
}

export function route(store: TodoStore, method: string, path: string, body: string): Answer {
  const done = /^\/todos\/(\d+)\/done$/.exec(path);
  if (method === "GET" && path === "/todos") {
    return { status: 200, body: store.list() };
  }
  if (method === "POST" && path === "/todos") {
    return create(store, body);
  }
  if (method === "POST" && done !== null) {
    const todo = store.markDone(Number(done[1]));
    return todo === undefined
      ? { status: 404, body: { error: "no such item" } }
      : { status: 200, body: todo };
  }
  return { status: 404, body: { error: "no such address" } };
}

function create(store: TodoStore, body: string): Answer {
  try {
    return { status: 201, body: store.add(String(JSON.parse(body).title ?? "")) };
  } catch (error) {
    if (error instanceof InvalidTitle || error instanceof SyntaxError) {
      return { status: 400, body: { error: error.message } };
    }
    throw error;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) {
    text += chunk;
  }
  return text;
}

export function listen(port: number): void {
  const store = new TodoStore();
  createServer(async (request, response) => {
    const body = await readBody(request);
    const answer = route(store, request.method ?? "GET", request.url ?? "/", body);
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(JSON.stringify(answer.body));
  }).listen(port);
}

if (process.argv[1] === import.meta.filename) {
  listen(8080);
}
