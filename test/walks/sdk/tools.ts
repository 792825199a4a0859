/** A tool that every SDK is given in its own words. */
export const weather = {
  name: 'weather',
  description: 'Tells the weather of a city',
  parameters: {
    type: 'object' as const,
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}

/** What the sandbox calls it with. */
export const weatherInput = { city: 'example' }

/** The model that calls the first tool it is given, and then answers with the tool's result. */
export const callingModel = 'sandbox/tool'

export const weatherAnswer = 'The tool answered: sunny'
