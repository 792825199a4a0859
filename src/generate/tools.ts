import type { CacheMark } from './content.ts'

/** A tool that the client runs. Tools that a provider runs itself are extras. */
export type Tool =
  | {
      readonly kind: 'function'
      readonly name: string
      readonly description?: string
      /** JSON Schema. Absent: the tool has no parameters. */
      readonly parameters?: Readonly<Record<string, unknown>>
      readonly strict?: boolean
      /** JSON Schema of the JSON text that the tool returns. */
      readonly outputSchema?: Readonly<Record<string, unknown>>
      readonly cache?: CacheMark
    }
  | {
      readonly kind: 'custom'
      readonly name: string
      readonly description?: string
      /** The grammar of its input. Absent: any text. */
      readonly grammar?: { readonly syntax: string; readonly definition: string }
    }

/** Whether the model may or must call tools. */
export interface ToolChoice {
  readonly mode: 'auto' | 'required' | 'none'
  /** The names of the tools that the model may call. One name with `required` forces that tool. */
  readonly only?: readonly string[]
}
