import pipeline from '../../config/gateway.config.ts'
import type { Dialect } from '../../src/contract/dialect.ts'
import { hasClients } from '../../src/contract/dialect.ts'
import { convertedCapabilities } from '../../src/contract/conversion.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { createLineWriter, createLog } from '../../src/lib/log.ts'
import { openMemoryStore } from '../../src/stores/memory.ts'
import type { GeneratedFile } from '../configuration/files.ts'
import { type SdkMethod, methodsOfGenAi, methodsOfResources } from './read-methods.ts'

/** An SDK, and the headers by which the gateway knows its requests. */
interface Sdk {
  readonly title: string
  readonly headers: Readonly<Record<string, string>>
  readonly methods: () => SdkMethod[]
  /** The part of a path by which absent methods are counted together. */
  readonly family: RegExp
}

const ofVersion = /^\/v1\/[^/]+/
const ofGoogle = /^(?:\/upload)?\/v1beta1?\/(?:projects\/\{\}\/locations\/\{\}\/)?[^/:]+/

const sdks: readonly Sdk[] = [
  {
    title: 'openai (JavaScript and Python)',
    headers: {},
    methods: () => methodsOfResources('openai-7', '/v1'),
    family: ofVersion,
  },
  {
    title: '@anthropic-ai/sdk',
    headers: { 'anthropic-version': '2023-06-01' },
    methods: () => methodsOfResources('anthropic-1'),
    family: ofVersion,
  },
  {
    title: '@google/genai, Gemini API',
    headers: {},
    methods: () => methodsOfGenAi('genai-3', 'gemini'),
    family: ofGoogle,
  },
  {
    title: '@google/genai, Vertex AI',
    headers: {},
    methods: () => methodsOfGenAi('genai-3', 'vertex'),
    family: ofGoogle,
  },
]

interface Route {
  readonly dialect: Dialect
  readonly operation: Operation
  readonly pattern: RegExp
}

/** The page that says what becomes of each method of the SDKs. */
export function sdkMethodsFile(): GeneratedFile {
  const routes = routesOf(shippedDialects())
  const parts = sdks.map((sdk) => `## ${sdk.title}\n\n${renderSdk(sdk, routes)}`)
  return { path: 'docs/sdk-methods.md', text: `${[head, ...parts].join('\n\n')}\n` }
}

const head = `# Methods of SDKs

What becomes of each method of the SDKs that the tests run, by the paths in the SDKs and the operations of the [dialects](dialects.md). \`npm run generate\` writes
this page.

- \`native\`: accounts of the client's own dialect serve it, or the gateway itself
- \`translated\`: accounts of other dialects too
- \`absent\`: a 404, unless [\`passthrough\`](passthrough.md) names the path

Methods of one path stand in one row. The last table of an SDK counts the methods of paths of which none is served.`

function shippedDialects(): Dialect[] {
  const nowhere = { writableLength: 0, write: () => true }
  return pipeline({
    store: openMemoryStore(),
    keys: { find: () => undefined },
    log: createLog(nowhere),
    lines: createLineWriter(nowhere),
    health: { draining: false, inflight: () => 0, accounts: () => 0 },
  })
    .flatMap(({ dialects = [] }) => dialects)
    .filter(hasClients)
}

function routesOf(dialects: readonly Dialect[]): Route[] {
  return dialects.flatMap((dialect) =>
    dialect.operations.flatMap((operation) =>
      operation.paths.map((path) => ({ dialect, operation, pattern: patternOf(path) })),
    ),
  )
}

/** What a path names before the model: SDKs write it out. */
const writtenOut: ReadonlySet<string> = new Set(['publisher', 'project', 'location'])

/** Matches the path of an SDK, in which `{}` stands for any text. */
function patternOf(path: string): RegExp {
  const source = path
    .split(/(\{[^}]+\})/)
    .map((part) => {
      const [, name = '', words] = /^\{(\w+)[+*~]?(?::(.+))?\}$/.exec(part) ?? []
      if (words !== undefined) return `(?:${words})`
      if (writtenOut.has(name)) return '[^/:]+'
      return name === '' ? part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&') : '\0'
    })
    .join('')
  // An id may have a prefix that the dialect knows.
  return new RegExp(`^${source.replaceAll(/[^/:\0]*\0[^/:\0]*/g, '\\{\\}')}$`)
}

type Verdict = 'native' | 'native, translated' | 'absent'

function renderSdk({ methods, headers, family }: Sdk, routes: readonly Route[]): string {
  const judged = methods().map((method) => ({
    ...method,
    verdict: verdictOf(method, routes, headers),
  }))
  const familyOf = ({ path }: SdkMethod) => family.exec(path)?.[0] ?? path
  const served = new Set(judged.filter(({ verdict }) => verdict !== 'absent').map(familyOf))
  const rows = Map.groupBy(
    judged.filter((method) => served.has(familyOf(method))),
    ({ method, path, verdict }) => `${path} ${method} ${verdict}`,
  )
  const others = Map.groupBy(
    judged.filter((method) => !served.has(familyOf(method))),
    familyOf,
  )
  const lines = [...rows.values()].toSorted(byPath).map((same) => {
    const [{ method, path, verdict }] = same as [(typeof judged)[number]]
    const names = same.map(({ name }) => `\`${name}\``).join(', ')
    return `| ${names} | \`${method} ${shown(path)}\` | ${verdict} |`
  })
  const absent = [...others].toSorted(([one], [other]) => one.localeCompare(other, 'en'))
  return [
    '| method | request | |\n|---|---|---|',
    ...lines,
    ...(absent.length > 0
      ? [
          '\n| path | absent methods |\n|---|---|',
          ...absent.map(([path, all]) => `| \`${shown(path)}\` | ${all.length} |`),
        ]
      : []),
  ].join('\n')
}

function byPath([one]: readonly SdkMethod[], [other]: readonly SdkMethod[]): number {
  return `${one!.path} ${one!.method}`.localeCompare(`${other!.path} ${other!.method}`, 'en')
}

function shown(path: string): string {
  return path.replaceAll('{}', '{…}')
}

/** As the gateway finds the operation of a request: a dialect that claims its client goes first. */
function verdictOf(
  { name, method, path }: SdkMethod,
  routes: readonly Route[],
  headers: Sdk['headers'],
): Verdict {
  const found = routes.filter(
    ({ operation, pattern }) => operation.method === method && pattern.test(path),
  )
  const request = { method, path, query: '', headers, remoteAddress: '', signal: undefined }
  const claiming = found.find(({ dialect }) => dialect.claims?.(request as never))
  const route =
    claiming ??
    found.find(({ dialect, operation }) =>
      isClaimed(headers) ? operation.shared : !dialect.claims,
    )
  if (!route || route.operation.hidden) return 'absent'
  // Vertex AI has one verb for several kinds of models.
  if (path.endsWith(':predict') && !/embed/i.test(name)) return 'absent'
  return isTranslated(route) ? 'native, translated' : 'native'
}

/** Whether the requests of an SDK say whose they are: no other dialect answers them. */
function isClaimed(headers: Sdk['headers']): boolean {
  return Object.keys(headers).length > 0
}

/** Whether accounts of other dialects serve an operation. */
function isTranslated({ dialect, operation: { capability } }: Route): boolean {
  if (capability === 'generate') return dialect.generate !== undefined
  if (capability === 'count-tokens') return dialect.generate?.counting !== undefined
  if (capability === 'video') return dialect.video !== undefined
  return convertedCapabilities.some(
    (one) => one === capability && dialect.converts?.[one]?.decodeRequest !== undefined,
  )
}
