import type { Exchange } from './try-agent.ts'

/** Refusals after which an agent goes on in another way, and why they stay refusals. */
const harmless = [
  {
    method: 'GET',
    path: '/v1/responses',
    status: 426,
    reason: 'Codex asks for a WebSocket first, which the gateway has not, and goes on without it.',
  },
] as const satisfies (Exchange & { reason: string })[]

export function isHarmless({ method, path, status }: Exchange): boolean {
  return harmless.some(
    (known) => known.method === method && known.path === path && known.status === status,
  )
}
