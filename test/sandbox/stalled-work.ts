import type OpenAI from 'openai-7'

/** How many events work that is told to stall gets to: up to the first part of its message. */
export const eventsOfStalled = 5

/** The id of work in the background that is in progress, and stays so. Nobody reads its stream. */
export async function startStalled({ responses }: OpenAI): Promise<string> {
  const model = `sandbox/stall=${eventsOfStalled}`
  const stream = await responses.create({ model, input: 'hi', background: true, stream: true })
  for await (const event of stream) if ('response' in event) return event.response.id
  throw new Error('The stream had no response.')
}
