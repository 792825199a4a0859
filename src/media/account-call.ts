/** One request to an account. Paths are written in full, with the version. */
export interface AccountCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly query?: string
  readonly json?: Readonly<Record<string, unknown>>
  readonly form?: readonly FormEntry[]
}

export interface FormEntry {
  readonly name: string
  readonly value: string | { readonly bytes: Buffer; readonly type: string; readonly name: string }
}
