import { type Dialect, defineDialect } from '../src/contract/dialect.ts'
import { type Operation, defineOperation } from '../src/contract/operation.ts'
import { errorEnvelope } from '../src/kit/error-envelope.ts'
import { type GatewayPlugin, definePlugin } from '../src/contract/plugin.ts'

/** Serves `GET /openapi.json`, a description of all operations of this gateway's dialects. */
export function openApi({ dialects }: { dialects: () => readonly Dialect[] }): GatewayPlugin {
  let body: string | undefined
  const describe = defineOperation({
    id: 'openapi.describe',
    method: 'GET',
    paths: ['/openapi.json'],
    auth: 'none',
    summary: 'The OpenAPI description of this gateway',
    serve: () => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: (body ??= JSON.stringify(describeDialects(dialects()))),
    }),
  })
  const dialect = defineDialect({
    id: 'openapi',
    credential: () => undefined,
    error: errorEnvelope,
    operations: [describe],
  })
  return definePlugin({ name: 'openapi', dialects: [dialect] })
}

function describeDialects(dialects: readonly Dialect[]): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const dialect of dialects) {
    for (const operation of dialect.operations) {
      if (operation.hidden) continue
      for (const [index, pattern] of operation.paths.entries()) {
        const { path, parameters } = toTemplate(pattern)
        const method = operation.method.toLowerCase()
        const known = paths[path]?.[method]
        // A path without parameters may have several operations, by their clients.
        const described = known
          ? { ...known, description: ofOthers(dialect, operation) }
          : describeOperation(dialect, operation, { parameters, index })
        paths[path] = { ...paths[path], [method]: described }
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Dragoman', version: '1.0.0' },
    // Relative to the URL of this document, so it is correct behind any ingress.
    servers: [{ url: '/' }],
    paths,
    components: { securitySchemes, schemas: { Error: errorSchema } },
  }
}

function ofOthers({ id, title = id }: Dialect, { id: name, summary }: Operation): string {
  return `For clients of the ${title} (\`${name}\`): ${summary}`
}

function describeOperation(
  dialect: Dialect,
  operation: Operation,
  { parameters, index }: { parameters: object[]; index: number },
): object {
  const { id, summary, schema, auth, method } = operation
  return {
    // Ids must be unique, so each further path of an operation has a numbered one.
    operationId: index === 0 ? id : `${id}.${index + 1}`,
    summary,
    tags: [dialect.id],
    ...(parameters.length > 0 && { parameters }),
    ...(method === 'POST' &&
      operation.body !== 'none' && {
        requestBody: {
          required: operation.body !== 'optional',
          content: bodyContent(operation.body, schema?.request ?? { type: 'object' }),
        },
      }),
    responses: {
      [operation.status ?? 200]: describeReply(operation),
      default: { description: 'Error', content: json({ $ref: '#/components/schemas/Error' }) },
    },
    security: auth === 'key' ? Object.keys(securitySchemes).map((name) => ({ [name]: [] })) : [],
  }
}

function describeReply({ schema, replies = ['application/json'] }: Operation): object {
  const description = 'OK'
  if (replies.length === 0) return { description }
  const content = replies.map((type) => [type, replySchema(type, schema?.reply)])
  return { description, content: Object.fromEntries(content) as object }
}

/** Binary content has no schema (OpenAPI 3.1, "Considerations for File Uploads"). */
function replySchema(type: string, reply: object = { type: 'object' }): object {
  if (type === 'application/json') return { schema: reply }
  return type === 'text/event-stream' ? { schema: { type: 'string' } } : {}
}

/** Converts `{model+}`, `{path*}`, `{file~}` and `{version:v1|v1beta}` to OpenAPI parameters. */
function toTemplate(pattern: string): { path: string; parameters: object[] } {
  const parameters: object[] = []
  const path = pattern.replace(/\{([a-z_]+)([+*~]?)(?::([^}]+))?\}/g, (_, name, kind, words) => {
    const schema = {
      type: 'string',
      ...(words && { enum: (words as string).split('|') }),
      ...(kind === '~' && { pattern: '^[0-9a-z]{16,}$' }),
    }
    parameters.push({ name, in: 'path', required: true, schema })
    return `{${name}}`
  })
  return { path, parameters }
}

function bodyContent(body: Operation['body'], schema: object): object {
  return { ...json(schema), ...(body === 'form' && { 'multipart/form-data': { schema } }) }
}

function json(schema: object): object {
  return { 'application/json': { schema } }
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  xApiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
  xGoogApiKey: { type: 'apiKey', in: 'header', name: 'x-goog-api-key' },
}

/** The error envelope; errors of chaining, and with `errors: 'native'`, have no integer as `code` (docs/wire/contract.md 5). */
const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: ['integer', 'string', 'null'] },
        message: { type: 'string' },
        type: { type: 'string' },
        param: { type: ['string', 'null'] },
        details: { type: 'array', items: { type: 'object' } },
      },
    },
  },
}
