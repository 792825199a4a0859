import { openPlace, type Place } from './dragoman.ts'

export const account = {
  id: 'a',
  provider: 'sandbox',
  baseUrl: 'http://127.0.0.1:9',
  models: ['*'],
}

export const config = { accounts: [account], keys: [{ id: 'k', secret: 'the-api-key' }] }

export async function placeWith(settings: object = {}): Promise<Place> {
  const place = await openPlace()
  await place.write('dragoman.config.json', JSON.stringify({ ...config, ...settings }))
  return place
}

export async function ask(adminUrl: string, secret: string, query = '{ viewer { id role } }') {
  const response = await fetch(`${adminUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}` },
    body: JSON.stringify({ query }),
  })
  const text = await response.text()
  return response.status === 200 ? (JSON.parse(text).data as unknown) : response.status
}
