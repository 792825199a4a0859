import { codegen } from '@graphql-codegen/core'
import * as operations from '@graphql-codegen/typescript-operations'
import { Kind, type OperationDefinitionNode, parse } from 'graphql'

import { roleOfAct } from '../../src/admin/act.ts'
import { createAdminSchema } from '../../src/admin/schema/index.ts'
import { schemaFile } from '../admin/schema-file.ts'
import type { GeneratedFile } from '../configuration/files.ts'
import { type ConsoleDocument, consoleDocuments } from './operations.ts'

/** How the scalars of the schema look in JSON. */
const scalars = {
  ID: 'string',
  DateTime: 'string',
  Count: 'number',
  Amount: 'number | string',
  JSON: 'unknown',
}

/** The typed operations of the console, beside each of its `.graphql` files, and the roles of acts. */
export async function consoleFiles(text = schemaFile().text): Promise<GeneratedFile[]> {
  const schema = parse(text)
  const documents = consoleDocuments().map(async (one) => ({
    path: one.path.replace(/\.graphql$/, '.generated.ts'),
    text: await render(one, schema),
  }))
  return [actsFile(), ...(await Promise.all(documents))]
}

/** The acts of the schema with their roles: what `viewer.may` says, known before the first answer. */
function actsFile(): GeneratedFile {
  const fields = Object.values(createAdminSchema().getMutationType()!.getFields())
  const acts = fields.flatMap(({ name, extensions }) => {
    const role = roleOfAct(extensions['audit'])
    return role === undefined ? [] : [`  ${name}: '${role}',`]
  })
  return {
    path: 'console/src/api/acts.generated.ts',
    text: [
      '/** The acts of the admin API, each with the least role that may do it. */',
      'export const actRoles = {',
      ...acts.toSorted(),
      '} as const',
      '',
    ].join('\n'),
  }
}

async function render(one: ConsoleDocument, schema: ReturnType<typeof parse>): Promise<string> {
  const types = await codegen({
    filename: one.path,
    schema,
    documents: [{ location: one.path, document: one.document }],
    plugins: [{ operations: {} }],
    pluginMap: { operations },
    config: { scalars, enumsAsTypes: true, useTypeImports: true, skipTypename: true },
  })
  const depth = one.path.split('/').length - 'console/src/'.split('/').length
  const client = `${depth === 0 ? './' : '../'.repeat(depth)}api/operation.ts`
  return [
    `import type { Operation } from '${client}'`,
    '',
    types.trim(),
    ...one.operations.map(({ name, hash }) => {
      const type = typeName(one, name)
      return `\nexport const ${name}: Operation<${type}, ${type}Variables> = { name: '${name}', hash: '${hash}' }`
    }),
    '',
  ].join('\n')
}

/** As the generator of the types names them: `AccountsQuery`. */
function typeName({ document }: ConsoleDocument, name: string): string {
  const operation = document.definitions.find(
    (one): one is OperationDefinitionNode =>
      one.kind === Kind.OPERATION_DEFINITION && one.name?.value === name,
  )
  const kind = operation!.operation
  return `${name}${kind[0]!.toUpperCase()}${kind.slice(1)}`
}
