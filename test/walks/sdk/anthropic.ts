import Anthropic0 from 'anthropic-0'
import type { ClientOptions } from 'anthropic-1'
import Anthropic1 from 'anthropic-1'

import type { Walk } from './walk.ts'

/** One major of the SDK. The tests are written in the newest one's types. */
export interface AnthropicVersion {
  readonly name: string
  readonly Anthropic: typeof Anthropic1
  connect({ gateway }: Walk, options?: ClientOptions): Anthropic1
}

const majors = { '0.x': Anthropic0, '1.x': Anthropic1 } as unknown as {
  [major: string]: typeof Anthropic1
}

export const anthropicVersions: AnthropicVersion[] = Object.entries(majors).map(
  ([major, Anthropic]) => ({
    name: `@anthropic-ai/sdk ${major}`,
    Anthropic,
    connect: ({ gateway }, options) =>
      new Anthropic({ apiKey: gateway.key, baseURL: gateway.url, ...options }),
  }),
)
