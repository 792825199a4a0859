import { parseBody } from '../../../src/body/read-body.ts'
import { Declined } from '../../../src/contract/attempt.ts'
import type { RequestBody } from '../../../src/contract/body.ts'
import type { Call, NamedWork } from '../../../src/contract/call.ts'
import type { Dialect } from '../../../src/contract/dialect.ts'
import { GatewayError, toGatewayError } from '../../../src/contract/errors.ts'
import type { Authenticated, Routed } from '../../../src/contract/exchange.ts'
import type { AccountFiles } from '../../../src/contract/files.ts'
import { defaultLimits } from '../../../src/contract/limits.ts'
import type { MemoryLease } from '../../../src/contract/memory.ts'
import type { ForwardOperation } from '../../../src/contract/operation.ts'
import type { BatchPlace, NamedData } from '../../../src/contract/stored-data.ts'
import { findNamedFiles } from '../../../src/file-references/bind-files.ts'
import { wrong } from '../../../src/kit/checks.ts'
import { resolveModel } from '../../../src/kit/models.ts'
import { pinTo } from '../../../src/jobs/owner.ts'
import type { ByteEdit } from '../../../src/lib/json/edit.ts'
import { type ByteRange, mayHaveString } from '../../../src/lib/json/scan.ts'
import { pacer } from '../../../src/lib/turns.ts'
import { tokensOfLine } from '../../../src/limits/estimate.ts'

/** The most changes of a batch: each takes memory until the account has them. */
const mostEdits = 200_000
const mostModels = 100
const mostNames = 1_000

/** The requests of a batch, as far as routing and the request to an account depend on them. */
export interface BatchRequests {
  readonly work: NamedWork
  /** Changes of the body that do not depend on the account. */
  readonly edits: readonly ByteEdit[]
  /** Where the requests name their models, with the platform models. */
  readonly modelsAt: readonly { readonly at: ByteRange; readonly model: string }[]
  /** The account of the files that requests name. Absent: they name none. */
  readonly accountId: string | undefined
  /** Files that requests name by accounts' own ids. */
  readonly names: readonly NamedData[]
}

/** What reading the requests needs. */
interface RequestOptions {
  readonly exchange: Authenticated
  readonly files: AccountFiles
  /** Has the memory of each request alone. */
  readonly lease: () => MemoryLease
  readonly mostRequests: number
}

/** A request of a batch, and its endpoint. */
interface BatchRequest {
  readonly dialect: Dialect
  readonly operation: ForwardOperation
  readonly bytes: Buffer
  /** Where it begins in the body of the batch. */
  readonly at: number
  readonly within: BatchPlace
}

/** Reads the requests of a batch one by one, and checks each as its own endpoint does. */
export class RequestReader {
  readonly #options: RequestOptions
  readonly #models = new Map<string, { name: string; line: number; model: string }>()
  readonly #edits: ByteEdit[] = []
  readonly #others = new Set<string>()
  readonly #modelsAt: { at: ByteRange; model: string }[] = []
  readonly #names: NamedData[] = []
  readonly #sum = { requests: 0, inputTokens: 0, longestPrompt: 0, outputTokens: 0, unbounded: 0 }
  readonly #giveWay: () => Promise<void> | undefined
  #accountId: string | undefined

  constructor(options: RequestOptions) {
    this.#options = options
    this.#giveWay = pacer(options.exchange.caller.keyId)
  }

  /** Rejects with `GatewayError` for a request that is malformed, or whose model the key may not use. */
  async read(request: BatchRequest): Promise<void> {
    const { exchange, lease, mostRequests } = this.#options
    const turn = this.#giveWay()
    if (turn) await turn
    if (++this.#sum.requests > mostRequests) throw tooMany(`has more than ${mostRequests} requests`)
    const { dialect, operation, bytes, at, within } = request
    const own = { ...exchange, dialect, operation, params: {} }
    // The type of the batch's body says nothing of its requests.
    const context = { operation, request: { ...exchange.request, headers: {} } }
    const body = await parseBody(bytes, { limits: defaultLimits, lease, request: context })
    const call = await operation.understand(own, body)
    refuseStored(call)
    const model = this.#modelOf(own, call, within.number)
    for (const edit of call.edits) this.#edit(edit, at)
    if (call.modelAt) {
      const { start, end } = call.modelAt
      this.#modelsAt.push({ at: { start: at + start, end: at + end }, model })
    }
    // Files by accounts' own ids, which another key may have.
    this.#name(call.names ?? [], within)
    await this.#bindFiles(dialect, body, request)
    const { inputTokens, outputTokens } = tokensOfLine({ body, operation })
    this.#sum.inputTokens += inputTokens
    this.#sum.longestPrompt = Math.max(this.#sum.longestPrompt, inputTokens)
    if (outputTokens === undefined) this.#sum.unbounded++
    else this.#sum.outputTokens += outputTokens
    if (this.#edits.length > mostEdits) throw tooMany('needs too many changes')
  }

  /** All requests. Throws `GatewayError` if there are none. */
  finish(param: string): BatchRequests {
    if (this.#sum.requests === 0) {
      throw new GatewayError('invalid_value', 'A batch needs a request.', { param })
    }
    const all = [...this.#models.values()]
    const isMixed = new Set(all.map(({ model }) => model)).size > 1
    return {
      work: {
        models: all,
        ...this.#sum,
        ...(isMixed && { isMixed }),
        ...(this.#others.size > 0 && { others: [...this.#others] }),
      },
      edits: this.#edits,
      modelsAt: this.#modelsAt,
      accountId: this.#accountId,
      names: this.#names,
    }
  }

  #modelOf(exchange: Authenticated, call: Call, line: number): string {
    const known = this.#models.get(call.model)
    const { otherModels = [] } = call
    if (known && otherModels.length === 0) return known.model
    const { name } = resolveModel(exchange, call)
    if (name === '') throw wrong('model', 'a non-empty string')
    for (const other of otherModels) this.#others.add(other.name)
    if (this.#others.size > mostModels) throw tooMany(`names more than ${mostModels} models`)
    if (known) return known.model
    if (this.#models.size === mostModels) throw tooMany(`names more than ${mostModels} models`)
    this.#models.set(call.model, { name: call.model, line, model: name })
    return name
  }

  #edit({ start, end, text }: ByteEdit, at: number): void {
    this.#edits.push({ start: at + start, end: at + end, text })
  }

  #name(names: readonly NamedData[], within: BatchPlace): void {
    for (const name of names) this.#names.push({ ...name, within })
    if (this.#names.length > mostNames) throw tooMany('names too many files')
  }

  async #bindFiles(
    { files: fields }: Dialect,
    body: RequestBody,
    { at, within }: Pick<BatchRequest, 'at' | 'within'>,
  ): Promise<void> {
    const { files, exchange } = this.#options
    if (fields?.idPrefix !== files.prefix || !mayHaveString(body, `"${files.prefix}`)) return
    const { accountId, edits, names } = await findNamedFiles(exchange, body, fields, files)
    if (accountId !== undefined) {
      if (this.#accountId !== undefined && this.#accountId !== accountId)
        throw new GatewayError('invalid_value', 'The requests name files of different accounts.')
      this.#accountId = accountId
    }
    for (const edit of edits) this.#edit(edit, at)
    this.#name(names, within)
  }
}

/** The members of a call that orders these requests, or uploads them. `param`: the field with the requests. */
export function callOf(
  { work, accountId, names }: BatchRequests,
  param: string,
): Partial<Call> & { model: string } {
  return {
    model: work.models[0]?.name ?? '',
    work,
    ...othersIn(work, param),
    ...(accountId !== undefined && { pin: pinTo({ accountId }, 'file') }),
    ...(names.length > 0 && { names }),
  }
}

/** The models that requests name beside their own, as `otherModels` of a call. `param`: the field with the requests. */
export function othersIn({ others }: NamedWork, param: string): Pick<Call, 'otherModels'> {
  return others ? { otherModels: others.map((name) => ({ name, field: param })) } : {}
}

/** The edits that put the account's names of the models into the requests. Throws `Declined` if it has not all of them. */
export function modelEdits({ model, candidate }: Routed, { modelsAt }: BatchRequests): ByteEdit[] {
  const { account, upstreamModel } = candidate
  const texts = new Map<string, string>()
  return modelsAt.map(({ at, model: name }) => {
    let text = texts.get(name)
    if (text === undefined) {
      const own = name === model.name ? upstreamModel : account.models.upstreamName(name)
      if (own === undefined) {
        throw new Declined('files', `it does not serve the model \`${name}\` of the batch, too`)
      }
      texts.set(name, (text = JSON.stringify(own)))
    }
    return { ...at, text }
  })
}

/** Capabilities whose requests are whole, and whose replies say what they have used. */
const ofBatches: ReadonlySet<string | undefined> = new Set([
  'generate',
  'embed',
  'complete',
  'moderate',
  'generate-image',
])

/** The endpoint of a path that requests of batches can have. Throws `GatewayError` 400 for another path. */
export function endpointOf(
  dialects: readonly Dialect[],
  url: string,
): Pick<BatchRequest, 'dialect' | 'operation'> {
  for (const dialect of dialects)
    for (const operation of dialect.operations)
      if (
        'forward' in operation &&
        operation.method === 'POST' &&
        ofBatches.has(operation.capability) &&
        operation.paths.includes(url)
      )
        return { dialect, operation }
  throw wrong('url', 'the path of an endpoint that batches of this gateway can have')
}

/** The account would look up what other keys may own, and would not stream. */
function refuseStored({ stream, refersTo, names = [] }: Call): void {
  if (stream) throw wrong('stream', 'false in a batch')
  const name = names.find(({ kind }) => kind !== 'file')
  if (refersTo.length === 0 && !name) return
  const what = name ? `\`${name.field}\` names` : 'it continues'
  throw new GatewayError('invalid_value', `${what} stored data, which a batch cannot.`)
}

function tooMany(what: string): GatewayError {
  return new GatewayError('request_too_large', `The batch ${what}.`)
}

/** The error of a request, which refuses the whole batch. */
export function ofRequest(thrown: unknown, { place, number, param }: BatchPlace): GatewayError {
  const { code, message, status, headers, retry, refusedKey, param: field } = toGatewayError(thrown)
  // A request of a batch is no body of its own.
  const shown = message.replace(/^The request body (?=is|must)/, 'It ')
  return new GatewayError(code, `${place}: ${shown}`, {
    status,
    headers,
    param,
    details: { line: number, ...(field !== undefined && { field }) },
    ...(retry !== undefined && { retry }),
    ...(refusedKey && { refusedKey }),
  })
}
