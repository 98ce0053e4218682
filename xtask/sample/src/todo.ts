export interface Todo {
  id: number;
  title: string;
  done: boolean;
}

export const MAX_TITLE_LENGTH = 200;

export class InvalidTitle extends Error {}

// Implements: REQ-d00001
export function parseTitle(raw: string): string {
  const title = raw.trim();
  if (title.length === 0) {
    throw new InvalidTitle("the title is empty");
  }
  if (title.length > MAX_TITLE_LENGTH) {
    throw new InvalidTitle(`the title has more than ${MAX_TITLE_LENGTH} characters`);
  }
  return title;
}
