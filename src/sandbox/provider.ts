import type { IncomingHttpHeaders } from 'node:http'
import type { Account } from './accounts.ts'
import type { Audience } from './clouds/tokens.ts'
import type { FieldKind } from './form/form-body.ts'
import type { Form } from './form/form.ts'
import type { JsonObject } from './json.ts'
import type { Problem } from './problem.ts'
import type { Fault } from './fault.ts'
import type { Directives } from './steering/directives.ts'
import type { Stream } from './wire/steps.ts'

/** The place of an API key: a request header, or `key` for the query parameter of that name. */
export type CredentialPlace = 'authorization' | 'x-api-key' | 'x-goog-api-key' | 'api-key' | 'key'

/** A provider that the sandbox stands in for. */
export type Provider = {
  name: 'openai' | 'anthropic' | 'gemini' | 'bedrock'
  /** The places in which this provider accepts the key. */
  credentials: CredentialPlace[]
  /** Whose tokens it accepts as a bearer. Absent: it accepts none. */
  audience?: Audience
  /** The service of AWS for which it accepts signatures, also where another cloud has the same path. Absent: none. */
  signedFor?: 'bedrock' | 'bedrock-mantle'
  /** A key is no bearer: only a token is. */
  wantsToken?: boolean
  /** The response header with the request id. */
  requestIdHeader: string | undefined
  /** Headers of every reply of this provider. */
  replyHeaders(account: Account): Record<string, string>
  /** The body of an error reply. */
  renderProblem(problem: Problem, requestId: string): JsonObject
  /** Headers of an error reply. Absent: it has none of its own. */
  problemHeaders?(problem: Problem): Record<string, string>
  /** This provider's error for a request of the wrong shape. */
  explainFault(fault: Fault): Problem
  /** The error for a content type other than application/json. */
  wrongContentType(contentType: string): Problem
  /** The error for an unknown key, or for none. */
  wrongKey(key: string | undefined): Problem
}

/** A request to an endpoint, with its account found and its body parsed. */
export type Call = {
  account: Account
  headers: IncomingHttpHeaders
  query: URLSearchParams
  /** The named parts of the path, percent-decoded. */
  params: Record<string, string>
  /** Empty for endpoints without a body; the text parts of a form. */
  body: JsonObject
  /** The form, if the body was one. */
  form: Form | undefined
  /** Scheme and host as the client wrote them, without a trailing slash. */
  origin: string
  directives: Directives
}

/** The reply of an endpoint: JSON with an optional stream of the same content, or bytes. */
export type Reply = JsonReply | ContentReply

/** A JSON body. `stream` is sent in its place unless the directive `json` is given. */
export type JsonReply = { json: JsonObject; stream?: Stream; headers?: Record<string, string> }

/** A body of bytes, with a status and headers of its own. */
export type ContentReply = { content: Buffer; status: number; headers: Record<string, string> }

/** One operation of a provider. */
export type Endpoint = {
  provider: Provider
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Matches the raw path; its named groups become `params`. */
  path: RegExp
  /** Whether a request is for this endpoint, where providers share a path. */
  applies?: (headers: IncomingHttpHeaders, query: URLSearchParams) => boolean
  hasBody: boolean
  /** For an operation that accepts forms: the text parts that are numbers or booleans. */
  form?: Record<string, FieldKind>
  /** Reads the model from the path, where the body does not carry it. */
  modelOf?: (params: Record<string, string>) => string
  /** Reads the model from another member of the body than `model`. */
  modelOfBody?: (body: JsonObject) => string
  answer(call: Call): Reply
}
