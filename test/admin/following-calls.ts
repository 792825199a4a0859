export const accountAt = (url: string) => ({
  id: 'a',
  provider: 'sandbox',
  baseUrl: url,
  apiKey: 'sandbox-key-a',
  models: ['*'],
})

export async function call(url: string, key: string, model = 'sandbox/echo'): Promise<Response> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    // Another connection each time, and so perhaps another worker.
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      connection: 'close',
    },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'canary-content' }] }),
  })
  await response.text()
  return response
}
