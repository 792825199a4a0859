import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import { GraphQLError } from 'graphql'
import { createYoga, maskError } from 'graphql-yoga'

import { newRequestId } from '../exchange/receive.ts'
import { describeError } from '../lib/log.ts'
import { StoreUnavailable } from '../stores/store.ts'
import type { Authenticate } from './authenticate.ts'
import type { AdminContext } from './context.ts'
import { valueHider } from './hide-values.ts'
import type { Principal } from './principal.ts'
import { createAdminSchema } from './schema/index.ts'
import type { AdminServices } from './services.ts'

/** The path of the GraphQL endpoint. */
const endpoint = '/graphql'

/** The longest `user-agent` of an audit record, in characters. */
const longestAgent = 200

/** Options of `createAdminListener`. */
interface AdminListenerOptions {
  readonly services: AdminServices
  readonly authenticate: Authenticate
  /** Serves all other paths: health and metrics. */
  readonly others: RequestListener
}

/** What the server gives to each GraphQL operation. */
interface Entered {
  readonly admin: AdminContext
}

/** Creates the listener of the admin address: the GraphQL API for those with a token, and `others`. */
export function createAdminListener(options: AdminListenerOptions): RequestListener {
  const { services, authenticate, others } = options
  const yoga = createAdminYoga(services)

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let principal
    try {
      principal = await authenticate(request)
    } catch (error) {
      if (error instanceof StoreUnavailable) return cannotTell(response)
      throw error
    }
    if (!principal) return refuse(response)
    const admin = contextOf(request, response, principal, services)
    await yoga(request, response, { admin })
  }

  return (request, response) => {
    if (pathOf(request) !== endpoint) return others(request, response)
    response.setHeader('x-request-id', newRequestId())
    serve(request, response).catch((error: unknown) => {
      services.log.error('the admin API failed', describeError(error))
      response.destroy()
    })
  }
}

function createAdminYoga(services: AdminServices) {
  return createYoga<Entered, object>({
    schema: createAdminSchema(),
    context: ({ admin }) => admin,
    graphqlEndpoint: endpoint,
    graphiql: false,
    landingPage: false,
    cors: false,
    multipart: false,
    batching: false,
    logging: false,
    plugins: [valueHider],
    maskedErrors: {
      maskError(error, message) {
        if (isForClient(error)) return error
        const cause = error instanceof GraphQLError ? error.originalError : error
        if (cause) services.log.error('a query of the admin API failed', describeError(cause))
        return maskError(error, message, false)
      },
    },
  })
}

/** Whether an error is about the operation and no defect: its message is for the client. */
function isForClient(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false
  return error.originalError === undefined || error.originalError instanceof GraphQLError
}

function pathOf({ url = '/' }: IncomingMessage): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}

function contextOf(
  request: IncomingMessage,
  response: ServerResponse,
  principal: Principal,
  services: AdminServices,
): AdminContext {
  return {
    principal,
    requestId: String(response.getHeader('x-request-id')),
    address: request.socket.remoteAddress ?? '',
    agent: (request.headers['user-agent'] ?? '').slice(0, longestAgent),
    services,
  }
}

/** The store is away, so that a token that is not known may be valid. */
function cannotTell(response: ServerResponse): void {
  const message = 'The store does not answer, so this admin token cannot be looked up.'
  const body = JSON.stringify({ errors: [{ message, extensions: { code: 'STORE_UNAVAILABLE' } }] })
  response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '1' }).end(body)
}

/** The same answer for a missing, a wrong, an expired and a revoked token. */
function refuse(response: ServerResponse): void {
  const message = 'An admin token is required: `authorization: Bearer <token>`.'
  const body = JSON.stringify({ errors: [{ message, extensions: { code: 'UNAUTHENTICATED' } }] })
  response
    .writeHead(401, { 'content-type': 'application/json', 'www-authenticate': 'Bearer' })
    .end(body)
}
