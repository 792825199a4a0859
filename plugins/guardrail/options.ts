import { z } from 'zod'

const places = z.array(z.enum(['request', 'reply'])).min(1)

const rule = z
  .strictObject({
    /** Named in errors and in the access log. */
    name: z
      .string()
      .regex(/^[\w. -]{1,64}$/, 'is no name of letters, digits, spaces, dots and hyphens')
      .meta({ secret: false }),
    /**
     * A regular expression (ECMAScript, with Unicode). It runs on the thread of all calls: it must not backtrack
     * for long.
     */
    pattern: z.string().min(1),
    ignoreCase: z.boolean().default(true),
    /** `refuse`: the call fails. `mask`: the match is replaced. */
    action: z.enum(['refuse', 'mask']).meta({ secret: false }),
    /** The text that replaces a match. */
    replacement: z.string().max(64).default('[removed]'),
    in: places.default(['request', 'reply']),
  })
  .superRefine(({ pattern, ignoreCase }, context) => {
    try {
      void new RegExp(pattern, ignoreCase ? 'giu' : 'gu')
    } catch (error) {
      // The engine says the pattern, its flags, and at last the reason.
      const reason = (error as Error).message.replace(/^.*: /s, '')
      context.addIssue({
        code: 'custom',
        path: ['pattern'],
        message: `is no regular expression: ${reason}`,
        params: { fix: 'correct it, with a backslash before a character that stands for itself' },
      })
    }
  })

const moderation = z.strictObject({
  /** A service that answers as OpenAI's `/v1/moderations` does. */
  url: z
    .url({ protocol: /^https?$/, error: 'is no URL of http or https' })
    .meta({ secret: false, examples: ['https://api.openai.com/v1/moderations'] }),
  apiKey: z.string().min(1).optional(),
  model: z.string().min(1).default('omni-moderation-latest').meta({ secret: false }),
  /** The categories that count. Absent: all that the service flags. */
  categories: z.array(z.string().min(1)).min(1).optional(),
  in: places.default(['request']),
  /** For one question, in milliseconds. */
  timeoutMs: z.int().min(100).max(25_000).default(5_000),
  /** Whether a text passes or is refused while the service does not answer. */
  whenAway: z.enum(['refuse', 'pass']).default('refuse').meta({ secret: false }),
})

/** The options of `guardrail`. */
export const options = z
  .strictObject({ rules: z.array(rule).max(256).default([]), moderation: moderation.optional() })
  .refine(({ rules, moderation: service }) => rules.length > 0 || service !== undefined, {
    error: 'has neither rules nor a moderation service',
    params: { fix: 'write rules, moderation or both' },
  })

/** The options with their defaults. */
type GuardrailSettings = z.output<typeof options>

export type RuleSetting = GuardrailSettings['rules'][number]

export type ModerationSetting = NonNullable<GuardrailSettings['moderation']>

/** Where a text stands. */
export type Place = 'request' | 'reply'
