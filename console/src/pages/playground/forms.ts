import type { Makes } from './dialect.ts'

/** What the form of a dialect has besides the model. */
export interface PromptFields {
  /** The label of its text. */
  readonly label: string
  /** The text that it begins with. */
  readonly prompt: string
  readonly hasInstructions?: boolean
  readonly hasTokens?: boolean
}

const papers = 'How calls are routed\nHow bread is baked\nWhat a lighthouse is for'

/** The forms, by what a dialect makes. */
export const forms: Readonly<Record<Makes, PromptFields>> = {
  text: {
    label: 'Message',
    prompt: 'Say hello in three languages.',
    hasInstructions: true,
    hasTokens: true,
  },
  completion: { label: 'Prompt', prompt: 'Once upon a time', hasTokens: true },
  vectors: { label: 'Texts, one a line', prompt: papers },
  ranks: { label: 'Documents, one a line', prompt: papers },
  verdicts: { label: 'Text', prompt: 'I will water the plants.' },
  audio: { label: 'Text', prompt: 'The ship comes in at dawn.' },
  images: { label: 'Prompt', prompt: 'A lighthouse in fog, as a woodcut.' },
  video: { label: 'Prompt', prompt: 'A river delta from above, at sunrise.' },
}
