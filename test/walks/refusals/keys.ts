import type { TestGateway } from '../../../src/testing/gateway.ts'
import type { Answer } from '../../../src/testing/fake-account.ts'
import { type Asking, ask } from '../streams/asking.ts'
import type { Form, FormName } from '../streams/forms.ts'

type Owner = 'mallory' | 'alice' | 'bob'

/** The keys of users who do not know each other. */
export const keys = (['mallory', 'alice', 'bob'] satisfies Owner[]).map((id) => ({
  id,
  secret: `secret-of-${id}`,
}))

/** Asks with the key of a user. */
export function askAs(
  owner: Owner,
  { url }: TestGateway,
  form: Form,
  asking: Asking = {},
): Promise<Response> {
  return ask({ url, key: `secret-of-${owner}` }, form, { stream: false, ...asking })
}

/** The number of tokens by which an account of these tests knows a request that it refuses. */
const odd = 31_999

/** What a client of each dialect adds to make its request odd; translation keeps it. */
const oddFields: Record<FormName, Record<string, unknown>> = {
  responses: { max_output_tokens: odd },
  chat: { max_completion_tokens: odd },
  messages: { max_tokens: odd },
  generate: { generationConfig: { maxOutputTokens: odd } },
  'generate-array': { generationConfig: { maxOutputTokens: odd } },
}

/** The odd request of a client. */
export function oddly({ name }: Form): Asking {
  return { fields: oddFields[name] }
}

/** Refuses odd requests, and leaves the others to another script. The list of models is always there. */
export function refusingOdd(refuse: Answer, serve: Answer): Answer {
  return (response, request) => {
    if (request.method === 'GET') return listing(response, request)
    return (request.body.includes(String(odd)) ? refuse : serve)(response, request)
  }
}

/** Answers the gateway's own check of an account. */
export const listing: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"models":[]}')
}

/** Answers with an error of a provider. */
export function answering(
  status: number,
  error: object,
  headers: Record<string, string> = {},
): Answer {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(error))
  }
}
