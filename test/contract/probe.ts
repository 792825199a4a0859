import type { AccountRequest } from '../../src/testing/fake-account.ts'
import type { JsonObject } from '../../src/lib/json/object.ts'
import { withField } from './fields.ts'
import type { ProbeStage } from './stage.ts'
import type { Case, Encoding, FieldRow } from './rows.ts'

/** An endpoint of the gateway, with a request that is within all limits. */
export interface ProbeTarget {
  readonly title: string
  /** A function prepares what the path names. */
  readonly path: string | ((stage: ProbeStage) => Promise<string>)
  /** The client's dialect, if accounts of several dialects serve it. */
  readonly dialect?: string
  /** Headers beside the credential and the type. */
  readonly headers?: Readonly<Record<string, string>>
  /** How clients send their bodies. */
  readonly encodings: readonly Encoding[]
  /** The members of the request. In a form, texts and files. */
  readonly valid: (encoding: Encoding) => JsonObject
  /** The requests to the account that a taken request causes. Default: 1. */
  readonly asks?: number
}

/** The answer to one probe, as far as verdicts need it. */
interface Answer {
  readonly status: number
  readonly text: string
  readonly asked: readonly AccountRequest[]
}

/**
 * Sends one value of a field and compares the answer with the contract's verdict. Returns the
 * violation in words; `undefined` for none.
 */
export async function violationOf(
  stage: ProbeStage,
  path: string,
  target: ProbeTarget,
  { row, one, encoding }: { row: FieldRow; one: Case; encoding: Encoding },
): Promise<string | undefined> {
  const answer = await send(stage, path, target, bodyOf(target, { row, one, encoding }), encoding)
  const isNative = target.dialect === undefined || target.dialect === stage.dialect
  const problem = problemOf(answer, target, { row, one, isNative })
  const { status, text } = answer
  return problem && `${one.title}: ${problem} (${status} ${text.slice(0, 200)})`
}

function problemOf(
  answer: Answer,
  target: ProbeTarget,
  { row, one, isNative }: { row: FieldRow; one: Case; isNative: boolean },
): string | undefined {
  const isTaken = one.verdict === 'taken' || (one.verdict === 'refused in translation' && isNative)
  if (!isTaken) return problemOfRefused(answer, row)
  const isRefused = row.mayLack && !isNative && answer.status === 400
  return isRefused ? problemOfRefused(answer, row) : problemOfTaken(answer, target)
}

function bodyOf(
  { valid }: ProbeTarget,
  { row, one, encoding }: { row: FieldRow; one: Case; encoding: Encoding },
): JsonObject {
  const members = { ...valid(encoding), ...row.beside }
  return withField(members, row.field, one.value)
}

async function send(
  { gateway, account }: ProbeStage,
  path: string,
  { headers }: ProbeTarget,
  body: JsonObject,
  encoding: Encoding,
): Promise<Answer> {
  const before = account.requests.length
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: {
      ...headers,
      authorization: `Bearer ${gateway.key}`,
      ...(encoding === 'json' && { 'content-type': 'application/json' }),
    },
    body: encoding === 'json' ? JSON.stringify(body) : formOf(body),
  })
  const text = await response.text()
  return { status: response.status, text, asked: account.requests.slice(before) }
}

/** A list has one part for each item. */
function formOf(body: JsonObject): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    for (const one of [value].flat()) form.append(name, one instanceof Blob ? one : String(one))
  }
  return form
}

function problemOfTaken({ status, asked }: Answer, { asks = 1 }: ProbeTarget): string | undefined {
  if (status !== 200) return 'the contract permits it, but it is refused'
  return asked.length === asks ? undefined : `the account is asked ${asked.length} times`
}

/** A refusal costs nothing, says 400 in its envelope, and names the field. */
function problemOfRefused({ status, text, asked }: Answer, row: FieldRow): string | undefined {
  const { field, named = field, envelope = 'general' } = row
  if (asked.length > 0) return 'it is refused by the contract, but reaches the account'
  if (status !== 400) return 'the contract refuses it with 400'
  const { error } = JSON.parse(text) as { error?: JsonObject }
  if (!isEnveloped(error, envelope)) return `its envelope is not ${envelope}`
  return JSON.stringify(error).includes(named) ? undefined : `it does not name ${named}`
}

function isEnveloped(error: JsonObject | undefined, envelope: 'general' | 'chaining'): boolean {
  if (envelope === 'chaining') return error?.code === 'invalid_value' && error.details === undefined
  return error?.code === 400 && Array.isArray(error.details)
}
