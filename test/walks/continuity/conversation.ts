import type { TestGateway } from '../../../src/testing/gateway.ts'
import type { Spoken } from './stage.ts'

/** What a client has been told. */
export interface Said {
  readonly text: string
  readonly calls: readonly { readonly id: string; readonly name: string }[]
}

/** A client that thinks aloud and has tools. It sends back what it got as its SDK keeps it. */
export interface Conversation {
  ask(text: string): Promise<Said>
  /** Answers the calls of the last answer, the last one first. */
  answer(results: readonly string[]): Promise<Said>
}

/** Looked at anew for each request: a conversation may move. */
export interface Where {
  readonly gateway: Pick<TestGateway, 'url' | 'key'>
  readonly model: string
  readonly stream: boolean
}

export interface Client {
  readonly name: string
  readonly speaks: Spoken
  open(where: Where): Conversation
}

/** Two tools that take no more than a city. */
export const tools = ['weather', 'time'].map((name) => ({
  name,
  description: `Tells the ${name} in a city.`,
  parameters: {
    type: 'object' as const,
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
}))
