import { parseTitle, type Todo } from "./todo.ts";

export class TodoStore {
  private readonly items = new Map<number, Todo>();
  private nextId = 1;

  add(title: string): Todo {
    const todo: Todo = { id: this.nextId++, title: parseTitle(title), done: false };
    this.items.set(todo.id, todo);
    return todo;
  }

  list(): Todo[] {
    return [...this.items.values()];
  }

  // Implements: REQ-d00002
  markDone(id: number): Todo | undefined {
    const todo = this.items.get(id);
    if (todo !== undefined) {
      todo.done = true;
    }
    return todo;
  }
}
