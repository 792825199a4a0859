import { type Answer, answerJson } from '../../../src/testing/fake-account.ts'

/** OpenAI's list of these models. */
export function openAiList(...ids: string[]): Answer {
  return answerJson({ object: 'list', data: ids.map((id) => ({ id, object: 'model' })) })
}

/** The names that `GET /v1/models` of a gateway lists for a key. */
export async function listedNames(url: string, key: string): Promise<string[]> {
  const response = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}
