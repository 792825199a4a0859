import type { MaybePromise } from '../lib/maybe-promise.ts'

/** A schema of any library that follows Standard Schema (https://standardschema.dev), such as zod. */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    /** The types of its values, for the compiler alone. */
    readonly types?: { readonly input: unknown; readonly output: unknown } | undefined
    readonly validate: (value: unknown) => MaybePromise<StandardResult>
    /** Standard JSON Schema, which few libraries have: for better messages, and to show options. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>
    }
  }
}

/** The type of the values that a schema returns. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<
  Schema['~standard']['types']
>['output']

/** The value that a schema returns for its input, or the issues of the input. */
type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** A fault of a value, and where it is. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}
