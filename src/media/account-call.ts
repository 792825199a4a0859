/** One request to an account. `path` is complete, with the API version. */
export interface AccountCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: string
  readonly json?: Readonly<Record<string, unknown>>
  readonly form?: readonly FormEntry[]
}

/** A field of a form, or a file with its media type and its file name. */
export interface FormEntry {
  readonly name: string
  readonly value: string | { readonly bytes: Buffer; readonly type: string; readonly name: string }
}
