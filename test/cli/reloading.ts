import { type Sandbox } from '../../src/sandbox/index.ts'

export const secret = 'secret-of-this-test'

export function configuration(sandbox: Sandbox, accounts: object, rest: object = {}): string {
  return JSON.stringify({
    keys: [{ id: 'team', secret }],
    accounts: Object.entries(accounts).map(([id, models]) => ({
      id,
      provider: 'sandbox',
      baseUrl: sandbox.url,
      apiKey: `sandbox-key-${id}`,
      models,
    })),
    ...rest,
  })
}

export async function accountOf(clients: string, model: string): Promise<string> {
  const reply = await fetch(`${clients}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  })
  await reply.body?.cancel()
  return reply.headers.get('x-dragoman-account') ?? `status ${reply.status}`
}

export const refused = 'configuration not reloaded; the current one stays in use'
