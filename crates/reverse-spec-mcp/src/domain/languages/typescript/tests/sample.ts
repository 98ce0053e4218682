/** The module. */
import def, { a as b, type T1 } from './x.js';
import * as ns from "y";
import type { Z } from 'z';
import 'side';
import fs = require('fs');

/** Adds.
 * @param a first
 */
export async function add<T extends object = {}>(
  a: number, // first
  b?: string,
  { c, d }: Opts = {},
  ...rest: T[]
): Promise<void> {
  // TODO: mend this
  if (!a) {
    throw new RangeError("a is needed");
  }
  const q = await import('./lazy');
  foo.bar(1); a!.b();
}
export function over(a: string): string;
export function over(a: number): number;
export function over(a: any) { return a; }
/** Doc of const */
export const arrow = async (x: number) => x + 1, other: string = 'v';
export let counter = 0;
export const { p, q: [r, s = 2], ...t } = obj;
export type Maybe<T extends object = {}> = | T | undefined;
export type Shape = { readonly a?: string; m(x: number): void };
@Dec({x: 1})
export abstract class K<T> extends Base<T> implements I1, I2<T> {
  #secret = 1;
  private static readonly x?: number = 5;
  constructor(private readonly store: Store, @Inject() public y?: string) { super(); }
  /** m doc */
  @log() async m<U>(a: U): Promise<U> { return a; }
  get v(): number { return 1 }
  set v(n) { }
  abstract z(): void;
  over(a: string): void;
  over(a: number): void;
  over(a: any) {}
  [key: string]: any;
  handler = (e: Event): void => { go(e); };
}
export interface Face<T> extends A, B<T> {
  (x: number): string;
  new (x: string): Face<T>;
  [k: string]: unknown;
  prop?: string;
  readonly ro: number;
  method?<X>(a: X): void;
}
export const enum Color { Red, Green = "g", 'Blue-ish' = 3 }
export namespace A.B { export function inner(x: number): void {} export namespace C { export const deep = 1; } const hidden = 2; }
declare module 'ext' { function f(): void; interface Q { a: 1 } }
declare global { interface Window { z: number } }
export * from './star';
export * as nsx from './nsx';
export { default as dd, other as oo } from './re';
export { b, local as renamed };
function local(z: string) { return z }
export default class Foo { bar() {} }
export = fs;
