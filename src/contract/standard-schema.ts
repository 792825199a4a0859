import type { MaybePromise } from '../lib/maybe-promise.ts'

/** A schema of any library that follows Standard Schema (https://standardschema.dev), such as zod. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => MaybePromise<StandardResult>
    /** Standard JSON Schema, which few libraries have: for better messages, and to show options. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>
    }
  }
}

/** The value that a schema returns for its input, or the issues of the input. */
type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** A fault of a value, and where it is. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}
