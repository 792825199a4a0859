import type { IncomingHttpHeaders } from 'node:http'
import type { Account } from './accounts.ts'
import type { JsonObject } from './json.ts'
import type { Problem } from './problem.ts'
import type { Fault } from './fault.ts'
import type { Directives } from './steering/directives.ts'
import type { Stream } from './wire/score.ts'

/** Where an API key can stand: a request header, or `key` for the query parameter of that name. */
export type CredentialPlace = 'authorization' | 'x-api-key' | 'x-goog-api-key' | 'api-key' | 'key'

/** One of the providers that the sandbox stands in for. */
export type Provider = {
  name: 'openai' | 'anthropic' | 'gemini'
  /** The places where this provider looks for the key. */
  credentials: CredentialPlace[]
  /** The response header with the request id. */
  requestIdHeader: string | undefined
  /** Headers that every answer of this provider carries. */
  replyHeaders(account: Account): Record<string, string>
  /** The body of an error answer. */
  renderProblem(problem: Problem, requestId: string): JsonObject
  /** This provider's words for a request that does not have the right shape. */
  explainFault(fault: Fault): Problem
  /** What is wrong with a content type other than application/json. */
  wrongContentType(contentType: string): Problem
  wrongKey(key: string | undefined): Problem
}

/** A request to an endpoint, after the account is known and the body is parsed. */
export type Call = {
  account: Account
  headers: IncomingHttpHeaders
  query: URLSearchParams
  /** The named parts of the path, percent-decoded. */
  params: Record<string, string>
  /** Empty for endpoints without a body. */
  body: JsonObject
  directives: Directives
}

/** What an endpoint answers: JSON, or a stream that can also be told as JSON. */
export type Reply = { json: JsonObject; stream?: Stream }

/** One operation of a provider. */
export type Endpoint = {
  provider: Provider
  method: 'GET' | 'POST' | 'DELETE'
  /** Matches the raw path; its named groups become `params`. */
  path: RegExp
  /** Which requests of the same path are meant, where providers share one. */
  applies?: (headers: IncomingHttpHeaders, query: URLSearchParams) => boolean
  hasBody: boolean
  /** The model, where the path carries it instead of the body. */
  modelOf?: (params: Record<string, string>) => string
  answer(call: Call): Reply
}
