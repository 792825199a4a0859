import { createServer as createHttp } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, connect, type Server, type Socket } from 'node:net'
import type { TLSSocket, TlsOptions } from 'node:tls'

import { type Answer, answerJson } from '../../src/testing/fake-account.ts'
import { form, wholeStream } from '../walks/streams/forms.ts'

/** What an account with TLS has seen of a request. */
export interface SecureRequest {
  readonly authorization: string | undefined
  /** The common name of the client's certificate. */
  readonly client: string | undefined
}

/** An account with TLS. */
export interface SecureAccount extends AsyncDisposable {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string
  readonly port: number
  readonly requests: readonly SecureRequest[]
}

/** Answers chat calls, streamed or not, and the list of models. */
export const chatting: Answer = (response, request) => {
  if (request.method === 'GET') return answerJson({ data: [] })(response, request)
  if (!request.body.includes('"stream":true')) {
    return answerJson(form.chat.reply)(response, request)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(wholeStream(form.chat).join(''))
}

/** Starts an account that answers with `answer` on connections with these certificates. */
export async function startSecureAccount(
  tls: TlsOptions,
  answer: Answer = chatting,
): Promise<SecureAccount> {
  const requests: SecureRequest[] = []
  const server = createHttps(tls, (message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (chunk: Buffer) => chunks.push(chunk))
    message.on('end', () => {
      const { headers, method = '', url = '' } = message
      const { CN } = (message.socket as TLSSocket).getPeerCertificate().subject ?? {}
      requests.push({ authorization: headers.authorization, client: CN && String(CN) })
      void answer(response, { method, url, headers, body: Buffer.concat(chunks), aborted: false })
    })
  })
  const port = await listen(server)
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    requests,
    [Symbol.asyncDispose]: () => close(server),
  }
}

/** A proxy that connects to this machine, whatever host it is asked for. */
export interface Proxy extends AsyncDisposable {
  readonly port: number
  /** `127.0.0.1:PORT`. */
  readonly host: string
  /** The authorities that it was asked for, and with what credentials. */
  readonly asked: readonly { readonly target: string; readonly authorization: string | undefined }[]
  /** All bytes that it has carried to accounts. */
  readonly carried: () => string
}

interface ProxyOptions {
  /** Answers `CONNECT` with this status. Default: 200. */
  readonly status?: number
  /** Never answers. */
  readonly isDeaf?: boolean
  /** `Basic ...`, without which it answers 407. */
  readonly authorization?: string
  /** Its own certificate: clients speak TLS with it. */
  readonly tls?: TlsOptions
}

/** Starts a proxy that tunnels to `127.0.0.1`. */
export async function startProxy(options: ProxyOptions = {}): Promise<Proxy> {
  const asked: { target: string; authorization: string | undefined }[] = []
  const sockets = new Set<Socket>()
  const carried: Buffer[] = []
  const server = options.tls ? createHttps(options.tls) : createHttp()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.on('connect', (request, client: Socket) => {
    const target = request.url ?? ''
    const authorization = request.headers['proxy-authorization']
    asked.push({ target, authorization })
    client.on('error', () => {})
    if (options.isDeaf) return
    const isMissing = options.authorization !== undefined && authorization !== options.authorization
    const status = isMissing ? 407 : (options.status ?? 200)
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const account = connect(Number(/\d+$/.exec(target)?.[0]), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      client.on('data', (chunk: Buffer) => carried.push(chunk))
      client.pipe(account).pipe(client)
    })
    sockets.add(account)
    account.on('error', () => client.destroy())
    client.on('close', () => account.destroy())
  })
  const port = await listen(server)
  return {
    port,
    host: `127.0.0.1:${port}`,
    asked,
    carried: () => Buffer.concat(carried).toString('latin1'),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await close(server)
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function close(server: Server & { closeAllConnections?: () => void }): Promise<void> {
  server.closeAllConnections?.()
  await new Promise((resolve) => server.close(resolve))
}
