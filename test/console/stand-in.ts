import { readFileSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import {
  type DocumentNode,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  GraphQLError,
  type GraphQLResolveInfo,
  OperationTypeNode,
  buildSchema,
  execute,
  getNamedType,
  getNullableType,
  getOperationAST,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
  parse,
  subscribe,
} from 'graphql'

import type { AdminRequest } from '../../src/admin/http/admin-request.ts'
import { createConsole } from '../../src/admin/console-build.ts'
import { createConsoleRoutes } from '../../src/admin/http/console.ts'
import { type Role, roles } from '../../src/admin/roles.ts'
import { buildConsole } from './built.ts'

/** How the stand-in answers operations. */
export interface Answering {
  /** The nodes of each list of a query; lists in their nodes have 3 at most. Default: 3. */
  rows: number
  /** Whether what may be null in the answer of a field is null; then no number is 0. */
  isUnknown: boolean
  /** `errors`: fields of the operation that may be null cannot be answered. `incomplete`: each lacks a part. */
  lacks: 'nothing' | 'errors' | 'incomplete'
  /** Milliseconds before an answer; `Infinity`: no answer comes. */
  delayMs: number
  /** The error of each operation. */
  refusal: { readonly status: number; readonly code: string; readonly message: string } | undefined
  /** Whether a session exists. */
  signedIn: boolean
  /** Fields by `Type.field`, before those that the stand-in makes up. */
  fields: Readonly<Record<string, unknown>>
}

/** An admin address that makes up its answers: as many as a test asks for, and as bad. */
export interface StandIn extends AsyncDisposable {
  /** `http://127.0.0.1:PORT`. */
  readonly adminUrl: string
  /** The name of a role is its token. */
  token(role: Role): string
  readonly answering: Answering
  /** Answers well again, and forgets the operations. */
  reset(): void
  /** The names of the operations that it has got. */
  readonly operations: string[]
  /** What answers have lacked so far, in words that the answers have. */
  readonly lacked: ReadonlySet<string>
  /** The live streams that are open. */
  streams(): number
  /** Sends events to each live stream that has their topic. */
  push(events: readonly object[]): Promise<void>
  /** Ends the live streams. */
  dropStreams(): void
}

const root = join(import.meta.dirname, '../..')

const schema = buildSchema(readFileSync(join(root, 'schema.graphql'), 'utf8'))

const readConsole = createConsole()
const serveConsole = createConsoleRoutes(readConsole)

/** Starts a stand-in that serves the console as it is built. */
export async function startStandIn(first: Partial<Answering> = {}): Promise<StandIn> {
  await buildConsole()
  const answering: Answering = { ...wellAnswering, ...first }
  const operations: string[] = []
  const lacked = new Set<string>()
  const streams = new Map<
    ServerResponse,
    { readonly document: DocumentNode; readonly sent: Sent }
  >()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://local').pathname
    if (path === '/session') return session(request, response)
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
    if (getOperationAST(document)?.operation === OperationTypeNode.SUBSCRIPTION) {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(':\n\n')
      streams.set(response, { document, sent })
      response.on('close', () => streams.delete(response))
      return
    }
    const result = await execute({
      schema,
      document,
      variableValues: sent.variables,
      fieldResolver: madeUp(answering),
      typeResolver,
    })
    const incomplete =
      answering.lacks === 'incomplete'
        ? Object.keys(result.data ?? {}).map((field) => ({ field, reason: lackOf(sent, field) }))
        : []
    for (const { message } of result.errors ?? []) lacked.add(message)
    for (const { reason } of incomplete) lacked.add(reason)
    sendJson(response, 200, { ...result, extensions: { incomplete } })
  }

  /** The role of a session is in its cookie. */
  async function session(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { signedIn } = answering
    if (!signedIn) return sendJson(response, 200, { signedIn, oidc: false })
    const body = request.method === 'POST' ? await textOf(request) : request.headers.cookie
    const role = roles.find((one) => body?.includes(one)) ?? 'admin'
    const idleUntil = new Date(Date.now() + 30 * 60_000).toISOString()
    response.setHeader('set-cookie', `role=${role}; Path=/; HttpOnly; SameSite=Strict`)
    sendJson(response, 200, { signedIn, oidc: false, id: role, role, idleUntil })
  }

  async function textFor(document: DocumentNode, sent: Sent, events: readonly object[]) {
    const results = await subscribe({
      schema,
      document,
      variableValues: sent.variables,
      rootValue: {
        live: ({ topics }: { readonly topics: readonly string[] }) =>
          asyncOf(events.filter((event) => hasTopic(event, topics)).map((live) => ({ live }))),
      },
      fieldResolver: madeUp(answering),
      typeResolver,
    })
    if (!(Symbol.asyncIterator in results)) throw new Error(JSON.stringify(results.errors))
    let text = ''
    for await (const result of results) text += `event: next\ndata: ${JSON.stringify(result)}\n\n`
    return text
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => {
      if (!response.headersSent) sendJson(response, 500, errorsOf('INTERNAL', error.message))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    adminUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: (role) => role,
    answering,
    operations,
    lacked,
    reset() {
      Object.assign(answering, wellAnswering)
      operations.length = 0
    },
    streams: () => streams.size,
    async push(events) {
      // Pages with the same subscription get the same text.
      const texts = new Map<string, Promise<string>>()
      for (const [response, { document, sent }] of streams) {
        const key = JSON.stringify([sent.operationName, sent.variables])
        const text = texts.get(key) ?? textFor(document, sent, events)
        texts.set(key, text)
        response.write(await text)
      }
    },
    dropStreams() {
      for (const response of streams.keys()) response.destroy()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const wellAnswering: Answering = {
  rows: 3,
  isUnknown: false,
  lacks: 'nothing',
  delayMs: 0,
  refusal: undefined,
  signedIn: true,
  fields: {},
}

interface Sent {
  readonly operationName: string
  readonly variables: Record<string, unknown>
  readonly extensions: { readonly persistedQuery: { readonly sha256Hash: string } }
}

const hashOf = ({ extensions }: Sent) => extensions.persistedQuery.sha256Hash

const lackOf = ({ operationName }: Pick<Sent, 'operationName'>, field: string) =>
  `${operationName} lacks ${field}.`

/** The topics of events by their types; `Missed` is of every topic. */
const topicOf: Readonly<Record<string, string>> = {
  ExchangeBegan: 'EXCHANGES',
  ExchangeChanged: 'EXCHANGES',
  ExchangeEnded: 'EXCHANGES',
  AccountChanged: 'ACCOUNTS',
  CircuitChanged: 'CIRCUITS',
  ConfigurationChanged: 'CONFIGURATION',
  JobChanged: 'JOBS',
  AuditRecorded: 'AUDIT',
  PulseSample: 'PULSE',
}

function hasTopic(event: object, topics: readonly string[]): boolean {
  const topic = topicOf[(event as { readonly __typename: string }).__typename]
  return topic === undefined || topics.includes(topic)
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

/** Makes up what an object lacks: texts are their field's name and the place in the list, numbers the place. */
function madeUp(answering: Answering): GraphQLFieldResolver<unknown, unknown> {
  const { rows, isUnknown, lacks } = answering
  return (source, _args, _context, info) => {
    const { fieldName, parentType, returnType, path, operation } = info
    const given = (source ?? {}) as Record<string, unknown>
    const known = given[fieldName] ?? answering.fields[`${parentType.name}.${fieldName}`]
    if (known !== undefined) return typeof known === 'function' ? (known as () => unknown)() : known
    const isRoot = path.prev === undefined
    if (isRoot && lacks === 'errors' && !isNonNullType(returnType)) {
      const message = lackOf({ operationName: operation.name?.value ?? '' }, String(path.key))
      throw new GraphQLError(message, { extensions: { code: 'STORE_UNAVAILABLE' } })
    }
    if (!isRoot && isUnknown && !isNonNullType(returnType)) return null
    const index = typeof given['#'] === 'number' ? given['#'] : 0
    const isNested = path.prev?.prev !== undefined
    return valueOf(returnType, {
      fieldName,
      index,
      least: isUnknown ? 7 : 0,
      rows: isNested ? Math.min(3, rows) : rows,
    })
  }
}

interface Place {
  readonly fieldName: string
  readonly index: number
  /** The least number. */
  readonly least: number
  readonly rows: number
}

function valueOf(type: GraphQLOutputType, place: Place): unknown {
  const { fieldName, index, least, rows } = place
  const nullable = getNullableType(type)
  if (isListType(nullable)) {
    const length = isPage(fieldName) ? rows : 1
    return Array.from({ length }, (_, number) =>
      valueOf(nullable.ofType, { ...place, index: number }),
    )
  }
  if (isEnumType(nullable)) return nullable.getValues()[0]?.value
  if (!isScalarType(nullable)) return { '#': index }
  const isNumber = numbers.has(nullable.name) || fieldName === 'cost'
  if (fieldName === 'totalCount') return rows
  if (isNumber) return nullable.name === 'String' ? String(index + least) : index + least
  const make = scalars[nullable.name]
  return make ? make(fieldName, index) : {}
}

/** The nodes of connections, and lists of a query that are none. */
function isPage(fieldName: string): boolean {
  return ['edges', 'exchanges', 'aliases', 'limits', 'captures', 'rows', 'settings'].includes(
    fieldName,
  )
}

const numbers = new Set(['Int', 'Float', 'Count', 'Amount'])

const scalars: Readonly<Record<string, (name: string, index: number) => unknown>> = {
  ID: (name, index) => `${name}-${index}`,
  String: (name, index) => (name === 'endCursor' ? null : `${name}_${index}`),
  Boolean: (name) => flags.has(name),
  // Countdowns have some minutes left.
  DateTime: () => new Date(Date.now() + 420_000).toISOString(),
}

/** What is true. */
const flags = new Set(['enabled', 'available', 'reachable', 'ready', 'processesComplete', 'isSet'])
