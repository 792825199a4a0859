import { invalidForm } from './invalid.ts'

/** Texts that the account would read in another encoding could say something else to it. */
export function assertUtf8(charset: string | undefined, what: string): void {
  if (charset === undefined || /^(utf-?8|us-ascii|ascii)$/i.test(charset)) return
  throw invalidForm(`${what} must be in UTF-8, not in \`${charset.slice(0, 40)}\`.`)
}
