import { until } from '../../../src/testing/until.ts'
import type { Fixture } from '../fixture.ts'

interface Refused {
  readonly account: { readonly state: string; readonly stateUntil: string | null }
}

/** Waits until `openai-spare` is refused for as long as a test takes: its first refusals are short. */
export async function refuseSpare({ gateway, call }: Fixture): Promise<void> {
  const body = { model: 'gpt-5.4-pro', messages: [{ role: 'user', content: 'Hello' }] }
  await until(async () => {
    const { data } = await gateway.graph<Refused>(
      '{ account(id: "openai-spare") { state stateUntil } }',
    )
    const { state, stateUntil } = data.account
    const leftMs = Date.parse(stateUntil ?? '') - Date.now()
    if (state === 'REFUSED' && leftMs > 8_000) return true
    await (await call({ key: 'search', body })).text()
    await new Promise((resolve) => setTimeout(resolve, 250))
    return false
  }, 20_000)
}
