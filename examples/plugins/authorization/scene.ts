import { createLog } from 'dragoman'
import { type Answer, createTestGateway, startFakeAccount, startSandbox } from 'dragoman/testing'

import { authorization, type AuthorizationOptions } from './authorization.ts'

/** A gateway before the sandbox, and a service that answers as a test says. */
export async function start(first: Answer, options: Partial<AuthorizationOptions> = {}) {
  await using opening = new AsyncDisposableStack()
  let answer = first
  const service = opening.use(await startFakeAccount((...call) => answer(...call)))
  const sandbox = opening.use(await startSandbox())
  let logged = ''
  const log = createLog({ write: (line) => (logged += line) })
  const gateway = opening.use(
    await createTestGateway({
      keys: [{ id: 'own', secret: 'own-secret' }],
      accounts: [
        {
          id: 'a',
          provider: 'sandbox',
          baseUrl: sandbox.url,
          apiKey: 'sandbox-key-a',
          models: ['sandbox/*'],
        },
      ],
      plugins: [
        authorization({ url: `${service.url}/introspect`, timeoutMs: 500, log, ...options }),
      ],
    }),
  )
  const opened = opening.move()
  return {
    service,
    answerWith: (next: Answer) => void (answer = next),
    log: () => logged,
    /** The status of a call with this token. */
    async ask(token: string, model = 'sandbox/echo') {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
      })
      await response.arrayBuffer()
      return response.status
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
