import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A call that an SDK can make. */
export interface SdkMethod {
  /** As a program writes it: `files.retrieve`. */
  readonly name: string
  /** Of HTTP. */
  readonly method: string
  /** With the version, and `{}` for what a call fills in: `/v1/files/{}`. */
  readonly path: string
}

const packages = join(import.meta.dirname, '../../node_modules')

/** A method of a class, by the indentation of members: some classes are made by a function. */
const declaration = /^(?: {4}){1,2}(?:async )?(?!(?:if|for|while|switch|catch)\b)(\w+)\(.*\) \{$/

/** A request of a client that is generated from an OpenAPI description, where the path may be the text of a template. */
const request =
  /client\s*\.(get|post|put|patch|delete|getAPIList)\((?:\(0, \w+\.path\) ?)?(['"`])(\/[^'"`]*)\2/g

/** The methods of an SDK with a file for each resource. `prefix`: the version, if its paths have none. */
export function methodsOfResources(name: string, prefix = ''): SdkMethod[] {
  const root = join(packages, name, 'resources')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  return sorted(
    files
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) => methodsIn(join(root, file), resourceOf(file), prefix)),
  )
}

function methodsIn(file: string, resource: string, prefix: string): SdkMethod[] {
  const source = readFileSync(file, 'utf8')
  return membersOf(source).flatMap(({ name, text }) =>
    Array.from(
      (named(text) + passedOn(text, source, file)).matchAll(request),
      ([, verb = '', , path = '']) => ({
        name: `${resource}.${name}`,
        method: verb === 'getAPIList' ? listMethod(text) : verb.toUpperCase(),
        path: prefix + plain(path),
      }),
    ),
  )
}

/** The text of a method with the path in place of a URL that it takes of a reply. */
function named(text: string): string {
  return text.replaceAll('batch.results_url', "'/v1/messages/batches/{}/results'")
}

/** The source to which a method hands its client. Absent: it asks itself. */
function passedOn(text: string, source: string, file: string): string {
  const [, module] = /\(0, (\w+)\.\w+\)\(this\._client,/.exec(text) ?? []
  if (module === undefined) return ''
  const [, path = ''] = new RegExp(`const ${module} = require\\("([^"]+)"\\)`).exec(source) ?? []
  return path.includes('/lib/') ? readFileSync(join(dirname(file), path), 'utf8') : ''
}

/** Some lists are read with POST. */
function listMethod(text: string): string {
  return text.includes("method: 'post'") ? 'POST' : 'GET'
}

interface Member {
  readonly name: string
  readonly text: string
}

/** The members of the classes of a source. */
function membersOf(source: string): Member[] {
  const members: { name: string; lines: string[] }[] = []
  for (const line of source.split('\n')) {
    const [, name] = declaration.exec(line) ?? []
    if (name !== undefined) members.push({ name, lines: [] })
    members.at(-1)?.lines.push(line)
  }
  return members.map(({ name, lines }) => ({ name, text: lines.join('\n') }))
}

/** `chat/completions/completions.js` is `chat.completions`. */
function resourceOf(file: string): string {
  const parts = file.replace(/\.js$/, '').split('/')
  if (parts.at(-1) === parts.at(-2)) parts.pop()
  return parts
    .map((part) => part.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .join('.')
}

/** A path without its query, with `{}` in place of what a call fills in. */
function plain(path: string): string {
  return path.replace(/\?.*$/, '').replaceAll(/\$?\{[^}]*\}/g, '{}')
}

/** The name of a resource of `@google/genai` by its class. */
const resources: Readonly<Record<string, string>> = {
  Batches: 'batches',
  Caches: 'caches',
  Files: 'files',
  Models: 'models',
  Operations: 'operations',
  Tokens: 'authTokens',
  Documents: 'fileSearchStores.documents',
  FileSearchStores: 'fileSearchStores',
  Tunings: 'tunings',
}

/** Names that `@google/genai` leaves to the caller whole, such as `models/m`. */
const wholeNames: Readonly<Record<string, string>> = {
  'models {model}': 'models/{}',
  'models {name}': 'models/{}',
  'models {models_url}': 'models',
  'batches {model}': 'models/{}',
  'caches {name}': 'cachedContents/{}',
  'operations {operationName}': 'models/{}/operations/{}',
  'tunings {name}': 'tunedModels/{}',
  'fileSearchStores {name}': 'fileSearchStores/{}',
  'fileSearchStores.documents {name}': 'fileSearchStores/{}/documents/{}',
  'fileSearchStores.documents {parent}': 'fileSearchStores/{}',
}

/** The two services of `@google/genai`, and what stands before their paths. */
export type GenAiService = 'gemini' | 'vertex'

const versions: Readonly<Record<GenAiService, string>> = {
  gemini: '/v1beta',
  vertex: '/v1beta1/projects/{}/locations/{}',
}

/** The methods of `@google/genai` for a service. Its classes are in one file. */
export function methodsOfGenAi(name: string, service: GenAiService): SdkMethod[] {
  const source = readFileSync(join(packages, name, 'dist/node/index.cjs'), 'utf8')
  const classes = source.split(/^(?:let \w+\$?\d* = )?class (?=\w+ extends BaseModule)/m).slice(1)
  const found = classes.flatMap((text) => {
    const [type] = /^\w+/.exec(text)!
    return membersOf(text.slice(0, text.indexOf('\n}'))).flatMap((member) =>
      genAiMethod(resources[type] ?? type, member, service),
    )
  })
  return sorted(found)
}

/** Where a method for both services begins that of the Gemini API; the other one is before it. */
const gemini = /^ {8}else \{/m

function genAiMethod(resource: string, { name, text }: Member, service: GenAiService): SdkMethod[] {
  const at = text.search(gemini)
  const own = at < 0 ? text : service === 'gemini' ? text.slice(at) : text.slice(0, at)
  // The verb of embeddings depends on the model.
  const path = /formatMap\('([^']+)'/.exec(own.replace('(endpointUrl', "('{model}:predict'"))?.[1]
  const method = /httpMethod: '(\w+)'/.exec(own)?.[1]
  if (path === undefined || method === undefined) return []
  const whole = path
    .replace(/^upload\/\{api_version\}/, 'upload')
    .replace(/^\{\w+\}/, (part) => wholeNames[`${resource} ${part}`] ?? part)
  const shown = name.replace(/Internal$/, '')
  return [{ name: `${resource}.${shown}`, method, path: placed(plain(whole), service) }]
}

function placed(path: string, service: GenAiService): string {
  if (path.startsWith('upload/')) return path.replace('upload', `/upload${versions.gemini}`)
  const own = service === 'vertex' ? path.replace(/^models\//, 'publishers/google/models/') : path
  return `${versions[service]}/${own}`
}

function sorted(methods: readonly SdkMethod[]): SdkMethod[] {
  const one = new Map(methods.map((each) => [`${each.name} ${each.method} ${each.path}`, each]))
  return [...one.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}
