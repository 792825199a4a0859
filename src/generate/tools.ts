/** A tool of the client. Tools that a provider runs itself are extras: nobody else has them. */
export type Tool =
  | {
      readonly kind: 'function'
      readonly name: string
      readonly description?: string
      /** JSON Schema. Absent: the tool takes nothing. */
      readonly parameters?: Readonly<Record<string, unknown>>
      readonly strict?: boolean
    }
  | {
      readonly kind: 'custom'
      readonly name: string
      readonly description?: string
      /** What its input must look like. Absent: any text. */
      readonly grammar?: { readonly syntax: string; readonly definition: string }
    }

export interface ToolChoice {
  readonly mode: 'auto' | 'required' | 'none'
  /** The model may call only these. One of them with `required` is a forced tool. */
  readonly only?: readonly string[]
}
