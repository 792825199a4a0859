import { type HostileGateway, startCommand } from './gateway.ts'
import {
  allowedMemory,
  allowedStall,
  atOnce,
  check,
  counted,
  isChosen,
  keys,
  shown,
} from './rows.ts'
import { type StoredCall, storedResources } from './stored.ts'

/** Small calls about what the gateway keeps of an account that keeps nothing. */
export async function keptResources(account: string): Promise<void> {
  const accounts = [
    {
      id: 'chat',
      provider: 'openai-compatible',
      speaks: ['chat'],
      baseUrl: `${account}/v1`,
      apiKey: 'key',
      models: ['chat-model'],
    },
  ]
  for (const [name, { path, body, calls }] of Object.entries(storedResources)) {
    if (!isChosen(`stored, ${name}`)) continue
    await using gateway = await startCommand({ keys, accounts })
    const made = await callOf(gateway, 'POST', path, body)
    const { id, output } = JSON.parse(made.bytes.toString()) as KeptResource
    const item = output?.[0]?.id ?? ''
    for (const call of calls) {
      for (const times of [1, atOnce])
        await manyCalls(gateway, `stored, ${name}`, call, { id, item, times })
    }
  }
}

interface KeptResource {
  readonly id: string
  readonly output?: readonly { readonly id: string }[]
}

async function manyCalls(
  gateway: HostileGateway,
  of: string,
  { name, method, path, body }: StoredCall,
  { id, item, times }: { id: string; item: string; times: number },
): Promise<void> {
  await gateway.mark()
  const asked = Array.from({ length: times }, () =>
    callOf(gateway, method, path(id), body?.(id, item)).catch(() => ({ status: 0 })),
  )
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  if (!gateway.isAlive) return check(false, `${of}, ${times} ${name}: the process has ended`)
  const measures = await gateway.mark()
  const isAnswered = statuses.includes(200)
  check(
    isAnswered && measures.stall < allowedStall && measures.memory < allowedMemory,
    `${of}, ${times} ${name} (${counted(statuses)}): ${shown(measures)}`,
  )
}

async function callOf({ url }: HostileGateway, method: string, path: string, body?: string) {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: 'Bearer one-secret', 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  })
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
}
