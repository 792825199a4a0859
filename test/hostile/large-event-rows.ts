import { startCommand } from './gateway.ts'
import { accountKey } from './replies.ts'
import { MiB, check, isChosen, keys, readEnd } from './rows.ts'

const othersAtOnce = 8

/** A large event of one key, alone and while another key has many streams with the largest events. */
export async function largeEventsOfKeys(account: string): Promise<void> {
  const name = 'a large event among many of another key'
  if (!isChosen(name)) return
  const sizes = { honest: 5 * MiB, busy: 30 * MiB }
  const accounts = Object.entries(sizes).map(([id, size]) => ({
    id,
    provider: 'openai-compatible',
    speaks: ['chat'],
    baseUrl: `${account}/events/${size}/v1`,
    apiKey: accountKey,
    models: [id],
  }))
  // So that only large events hold streams up.
  const limits = { memoryBytes: 4096 * MiB }
  await using gateway = await startCommand({ keys, accounts, limits })
  const ask = async (key: string, model: string, signal?: AbortSignal) => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}-secret`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'a' }] }),
      signal: signal ?? null,
    })
    return readEnd(response)
  }
  const timed = async () => {
    const begun = performance.now()
    const { length } = await ask('one', 'honest')
    return { ms: performance.now() - begun, isWhole: length > sizes.honest }
  }
  const alone = await timed()
  const begun = performance.now()
  await ask('two', 'busy')
  const busyMs = performance.now() - begun
  const leaving = new AbortController()
  const busy = Array.from({ length: othersAtOnce }, async () => {
    while (!leaving.signal.aborted) await ask('two', 'busy', leaving.signal).catch(() => {})
  })
  const times: Awaited<ReturnType<typeof timed>>[] = []
  for (let count = 0; count < 5; count++) times.push(await timed())
  leaving.abort()
  await Promise.all(busy)
  const longest = Math.max(...times.map(({ ms }) => ms))
  // It waits for the event that is being parsed, and shares the turns of the loop.
  const allowed = 2 * busyMs + 4 * alone.ms
  check(
    times.every(({ isWhole }) => isWhole) && longest < allowed,
    `${name}: ${longest.toFixed(0)} ms, ${alone.ms.toFixed(0)} ms alone; one of the others takes ${busyMs.toFixed(0)} ms`,
  )
}
