export const secret = 'secret-of-this-test'

export const accountAt = (url: string) => ({
  id: 'tired',
  provider: 'sandbox',
  baseUrl: url,
  apiKey: 'sandbox-key-a',
  models: ['*'],
})

export const configOf = (accounts: readonly object[]) =>
  JSON.stringify({ keys: [{ id: 'team', secret }], store: 'memory:', accounts })

export async function readiness(url: string): Promise<Record<string, unknown>> {
  return (await (await fetch(`${url}/readyz?verbose`)).json()) as Record<string, unknown>
}

/** Enough failures in a row to open the account's circuit for Responses. */
export async function tire(clients: string): Promise<void> {
  for (let call = 0; call < 5; call++) {
    const response = await fetch(`${clients}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ model: 'sandbox/status=500', input: 'hi' }),
    })
    await response.body?.cancel()
  }
}
