import { readFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import {
  type DocumentNode,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  OperationTypeNode,
  buildSchema,
  execute,
  getNamedType,
  getNullableType,
  getOperationAST,
  isEnumType,
  isListType,
  isScalarType,
  parse,
  subscribe,
} from 'graphql'

import type { AdminRequest } from '../../src/admin/http/admin-request.ts'
import { createConsole } from '../../src/admin/console-build.ts'
import { createConsoleRoutes } from '../../src/admin/http/console.ts'
import { buildConsole } from './built.ts'

/** How the stand-in answers operations. */
export interface Answering {
  /** The nodes of each list of a query. Default: 3. */
  rows: number
  /** Milliseconds before an answer; `Infinity`: no answer comes. */
  delayMs: number
  /** The error of each operation. */
  refusal: { readonly status: number; readonly code: string; readonly message: string } | undefined
  /** The members of `extensions` of each answer. */
  extensions: object | undefined
  /** Whether a session exists. */
  signedIn: boolean
  /** Fields by `Type.field`, before those that the stand-in makes up. */
  readonly fields: Record<string, unknown>
}

/** An admin address that makes up its answers: as many as a test asks for, and as bad. */
export interface StandIn extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly adminUrl: string
  readonly answering: Answering
  /** Answers well again, and forgets the operations. */
  reset(): void
  /** The names of the operations that it has got. */
  readonly operations: string[]
  /** The live streams that are open. */
  streams(): number
  /** Sends events to each live stream. */
  push(events: readonly object[]): Promise<void>
}

const root = join(import.meta.dirname, '../..')

const schema = buildSchema(readFileSync(join(root, 'schema.graphql'), 'utf8'))

/** Starts a stand-in that serves the console as it is built. */
export async function startStandIn(): Promise<StandIn> {
  await buildConsole()
  const readConsole = createConsole()
  const serveConsole = createConsoleRoutes(readConsole)
  const answering = { ...wellAnswering }
  const operations: string[] = []
  const streams = new Set<(events: readonly object[]) => Promise<void>>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://local').pathname
    if (path === '/session') return sendJson(response, 200, sessionOf(answering))
    if (path !== '/graphql')
      return serveConsole({ request, response } as unknown as AdminRequest, path)
    const sent = JSON.parse(await textOf(request)) as Sent
    operations.push(sent.operationName)
    if (!answering.signedIn)
      return sendJson(response, 401, errorsOf('UNAUTHENTICATED', 'No session.'))
    if (answering.delayMs === Infinity) return
    if (answering.delayMs > 0) await new Promise((go) => setTimeout(go, answering.delayMs))
    const { refusal } = answering
    if (refusal) return sendJson(response, refusal.status, errorsOf(refusal.code, refusal.message))
    const document = parse((await readConsole())?.operations.get(hashOf(sent)) ?? '')
    if (getOperationAST(document)?.operation === OperationTypeNode.SUBSCRIPTION)
      return stream(document, sent, response)
    const result = await execute({
      schema,
      document,
      variableValues: sent.variables,
      fieldResolver: madeUp(answering),
      typeResolver,
    })
    const { extensions } = answering
    sendJson(response, 200, { ...result, ...(extensions && { extensions }) })
  }

  function stream(document: DocumentNode, sent: Sent, response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(':\n\n')
    const push = async (events: readonly object[]) => {
      const results = await subscribe({
        schema,
        document,
        variableValues: sent.variables,
        rootValue: { live: () => asyncOf(events.map((live) => ({ live }))) },
        fieldResolver: madeUp(answering),
        typeResolver,
      })
      if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results.errors))
      let text = ''
      for await (const result of results) text += `event: next\ndata: ${JSON.stringify(result)}\n\n`
      response.write(text)
    }
    streams.add(push)
    response.on('close', () => streams.delete(push))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      if (!response.headersSent) sendJson(response, 500, errorsOf('INTERNAL', error.message))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    adminUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answering,
    operations,
    reset() {
      Object.assign(answering, wellAnswering)
      operations.length = 0
    },
    streams: () => streams.size,
    async push(events) {
      await Promise.all([...streams].map((push) => push(events)))
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const wellAnswering: Answering = {
  rows: 3,
  delayMs: 0,
  refusal: undefined,
  extensions: undefined,
  signedIn: true,
  fields: {},
}

interface Sent {
  readonly operationName: string
  readonly variables: Record<string, unknown>
  readonly extensions: { readonly persistedQuery: { readonly sha256Hash: string } }
}

const hashOf = ({ extensions }: Sent) => extensions.persistedQuery.sha256Hash

function sessionOf({ signedIn }: Answering): object {
  const idleUntil = new Date(Date.now() + 30 * 60_000).toISOString()
  return signedIn
    ? { signedIn, oidc: false, id: 'admin', role: 'admin', idleUntil }
    : { signedIn, oidc: false }
}

function errorsOf(code: string, message: string): object {
  return { errors: [{ message, extensions: { code } }] }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

async function* asyncOf<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

/** The type of an object of a union: events name theirs; acts succeed. */
function typeResolver(
  value: unknown,
  _context: unknown,
  { returnType, schema: own }: GraphQLResolveInfo,
) {
  const { __typename } = value as { __typename?: string }
  const named = getNamedType(returnType)
  if (__typename !== undefined || !('getTypes' in named)) return __typename
  const names = own.getPossibleTypes(named).map(({ name }) => name)
  return names.find((name) => name.endsWith('Success')) ?? names[0]
}

/** Makes up what an object lacks: texts are their field's name and the place in the list. */
function madeUp(answering: Answering): GraphQLFieldResolver<unknown, unknown> {
  return (source, _args, _context, info) => {
    const { fieldName, parentType, returnType } = info
    const given = (source ?? {}) as Record<string, unknown>
    const known = given[fieldName] ?? answering.fields[`${parentType.name}.${fieldName}`]
    if (known !== undefined) return typeof known === 'function' ? (known as () => unknown)() : known
    const index = typeof given['#'] === 'number' ? given['#'] : 0
    return valueOf(returnType, {
      fieldName,
      index,
      rows: answering.rows,
      isRow: fieldName === 'edges',
    })
  }
}

interface Place {
  readonly fieldName: string
  readonly index: number
  readonly rows: number
  readonly isRow: boolean
}

function valueOf(type: GraphQLOutputType, place: Place): unknown {
  const { fieldName, index, rows, isRow } = place
  const nullable = getNullableType(type)
  if (isListType(nullable)) {
    const length = isRow || isPage(fieldName) ? rows : 1
    return Array.from({ length }, (_, number) =>
      valueOf(nullable.ofType, { ...place, index: number }),
    )
  }
  if (isEnumType(nullable)) return nullable.getValues()[0]?.value
  if (!isScalarType(nullable)) return { '#': index }
  const make = scalars[nullable.name]
  return make ? make(fieldName, index) : {}
}

/** Lists of a query that are no connections. */
function isPage(fieldName: string): boolean {
  return ['exchanges', 'aliases', 'limits'].includes(fieldName)
}

const scalars: Readonly<Record<string, (name: string, index: number) => unknown>> = {
  ID: (name, index) => `${name}-${index}`,
  String: (name, index) => (name === 'endCursor' ? null : `${name} ${index}`),
  Boolean: (name) => name === 'enabled' || name === 'available',
  Int: (_, index) => index,
  Float: (_, index) => index,
  Count: (_, index) => index,
  Amount: (_, index) => index,
  DateTime: () => new Date().toISOString(),
}
