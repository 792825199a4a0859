import { codegen } from '@graphql-codegen/core'
import * as typedDocumentNode from '@graphql-codegen/typed-document-node'
import * as operations from '@graphql-codegen/typescript-operations'
import { parse } from 'graphql'

/** How the scalars of the schema look in JSON. */
const scalars = { ID: 'string', DateTime: 'string', Count: 'number', JSON: 'unknown' }

/**
 * Writes TypeScript for operations: the types of their variables and results, and a document for each
 * that carries them.
 */
export function renderOperations(schema: string, documents: string): Promise<string> {
  return codegen({
    filename: 'operations.generated.ts',
    schema: parse(schema),
    documents: [{ location: 'operations.graphql', document: parse(documents) }],
    plugins: [{ operations: {} }, { typedDocumentNode: {} }],
    pluginMap: { operations, typedDocumentNode },
    config: {
      scalars,
      enumsAsTypes: true,
      useTypeImports: true,
      skipTypename: true,
      documentNodeImport: '@urql/core#TypedDocumentNode',
    },
  })
}
