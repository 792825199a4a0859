import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { WebSocketServer } from 'ws'
import type { Account } from './accounts.ts'
import { identifyAccount, rejectLeakedHeaders } from './credentials.ts'
import { nowInSeconds } from './ids.ts'
import { textOf } from './json.ts'
import { azure } from './clouds/azure.ts'
import { openai } from './openai/provider.ts'
import { Conversation } from './openai/realtime/conversation.ts'
import { newSession } from './openai/realtime/session.ts'
import { serveResponsesSocket } from './openai/responses/socket.ts'
import { Problem, badRequest } from './problem.ts'
import type { Provider } from './provider.ts'
import { recordRequest, trackReply } from './recording.ts'
import { type SandboxState, headerOf, sendProblem } from './serve.ts'
import type { Directives } from './steering/directives.ts'
import { injectFailure } from './steering/failures.ts'
import { readDirectives } from './steering/read-directives.ts'

/** The largest message of a client, in bytes. */
const mostBytes = 32 * 1024 * 1024

/** Opens the WebSockets of a sandbox. */
export function createSockets(state: SandboxState): {
  open(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void>
  closeAll(): void
} {
  const server = new WebSocketServer({ noServer: true, maxPayload: mostBytes })
  return {
    async open(request, socket, head) {
      const record = recordRequest(state.requests, request)
      const response = new ServerResponse(request)
      socket.on('error', () => {})
      response.assignSocket(socket)
      response.once('finish', () => socket.end())
      const delivery = trackReply(record, response)
      const url = URL.parse(`http://sandbox${request.url}`) ?? new URL('http://sandbox/unreadable')
      const provider = url.pathname.startsWith('/openai/') ? azure : openai
      try {
        if (/^(?:\/openai)?\/v1\/responses$/.test(url.pathname)) {
          rejectLeakedHeaders(request, url, provider)
          const asked = { url, body: Buffer.alloc(0) }
          record.account = identifyAccount(request, asked, provider, state.accounts).id
          response.detachSocket(socket)
          server.handleUpgrade(request, socket, head, (client) => {
            client.on('close', () => (record.finished = 'complete'))
            serveResponsesSocket(client, request)
          })
          return
        }
        const asked = read(request, url, state, provider)
        record.account = asked.account.id
        const { directives } = asked
        if (await injectFailure(directives, provider, state.flaky, delivery)) return
        response.detachSocket(socket)
        server.handleUpgrade(request, socket, head, (client) => {
          const pace = directives.pace ?? state.eventDelayMs
          const conversation = new Conversation({
            session: asked.session,
            directives: { ...directives, pace },
            wire: {
              send: (event) => client.send(JSON.stringify(event)),
              cut: () => client.terminate(),
              close: (code, reason) => client.close(code, reason),
            },
          })
          client.on('error', () => {})
          client.on('message', (data, isBinary) => {
            if (isBinary) client.close(1003, 'Binary messages are not supported.')
            else conversation.receive((data as Buffer).toString())
          })
          client.on('close', () => {
            record.finished = 'complete'
            conversation.end()
          })
        })
      } catch (error) {
        const exchange = { delivery, requestId: 'req_sandbox' }
        if (!delivery.signal.aborted) sendProblem(exchange, provider, error)
      }
    },
    closeAll() {
      for (const client of server.clients) client.terminate()
    },
  }
}

type Asked = { account: Account; session: Record<string, unknown>; directives: Directives }

function read(request: IncomingMessage, url: URL, state: SandboxState, provider: Provider): Asked {
  if (!/^(?:\/openai)?\/v1\/realtime$/.test(url.pathname))
    throw new Problem(404, `Invalid URL (GET ${url.pathname})`)
  rejectLeakedHeaders(request, url, provider)
  const named = url.searchParams.get('model') ?? ''
  const key = /^Bearer +(ek_\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const { account, session } =
    key === undefined
      ? {
          account: identifyAccount(
            request,
            { url, body: Buffer.alloc(0) },
            provider,
            state.accounts,
          ),
          session: undefined,
        }
      : secretOf(key, state.accounts)
  const model = named || textOf(session?.['model'])
  if (model === '') throw badRequest('You must provide a model parameter.', 'model')
  if (session && model !== session['model'])
    throw badRequest('The model does not match the model of the client secret.', 'model')
  const directives = readDirectives(model, headerOf(request, 'x-sandbox'), account.id)
  return { account, session: session ?? newSession(model), directives }
}

function secretOf(key: string, accounts: Account[]) {
  for (const account of accounts) {
    const known = account.clientSecrets.get(key)
    if (known && known.expiresAt > nowInSeconds()) return { account, session: known.session }
  }
  throw openai.wrongKey(key)
}
