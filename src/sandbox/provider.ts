import type { IncomingHttpHeaders } from 'node:http'
import type { Account } from './accounts.ts'
import type { FieldKind } from './form/form-body.ts'
import type { Form } from './form/form.ts'
import type { JsonObject } from './json.ts'
import type { Problem } from './problem.ts'
import type { Fault } from './fault.ts'
import type { Directives } from './steering/directives.ts'
import type { Stream } from './wire/steps.ts'

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
  /** Empty for endpoints without a body; the text parts, where a form was sent. */
  body: JsonObject
  /** The form, if the body was one. */
  form: Form | undefined
  /** Scheme and host as the client wrote them, without a slash at the end. */
  origin: string
  directives: Directives
}

/** What an endpoint answers: JSON, a stream that can also be told as JSON, or bytes. */
export type Reply = JsonReply | ContentReply

export type JsonReply = { json: JsonObject; stream?: Stream; headers?: Record<string, string> }

export type ContentReply = { content: Buffer; status: number; headers: Record<string, string> }

/** One operation of a provider. */
export type Endpoint = {
  provider: Provider
  method: 'GET' | 'POST' | 'DELETE'
  /** Matches the raw path; its named groups become `params`. */
  path: RegExp
  /** Which requests of the same path are meant, where providers share one. */
  applies?: (headers: IncomingHttpHeaders, query: URLSearchParams) => boolean
  hasBody: boolean
  /** For an operation that takes a form as well as JSON: which of its text parts are no text. */
  form?: Record<string, FieldKind>
  /** The model, where the path carries it instead of the body. */
  modelOf?: (params: Record<string, string>) => string
  answer(call: Call): Reply
}
