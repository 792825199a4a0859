import { checksOf } from '../mutation.ts'

const fields = ['test/codecs/fields/fields.test.ts']
const unlisted = ['test/third-party/shout-dialect/translated/unlisted-features.test.ts']
const penalties = ['test/codecs/responses/penalties.test.ts']
const dialects = 'plugins/dialects'

/** That no field of a request is lost in silence. */
export const sdkFieldChecks = [
  ...checksOf('translation', 'src/generate/unsupported.ts', unlisted, {
    'a feature that a codec does not know is named': [
      'lacks?.[feature] ?? {',
      'lacks && !lacks[feature] ? undefined : {',
    ],
  }),
  ...checksOf(
    'translation',
    `${dialects}/responses/codec/encode-request/encode-options.ts`,
    penalties,
    {
      'OpenAI is not asked for penalties': ['if (!isServedByOpenAi(model)) {', 'if (model) {'],
    },
  ),
  ...checksOf(
    'translation',
    `${dialects}/generate/codec/encode-request/encode-request.ts`,
    fields,
    {
      'a tier reaches Gemini': ['serviceTier: tier, store', 'store'],
    },
  ),
  ...checksOf(
    'translation',
    `${dialects}/generate/codec/encode-request/encode-results.ts`,
    fields,
    {
      'the title of a document in a result reaches Gemini': [
        'model.isThirdGeneration ? media.flatMap(titlesOf) : []',
        '[] as string[]',
      ],
    },
  ),
  ...checksOf(
    'translation',
    `${dialects}/generate/codec/decode-request/decode-request.ts`,
    fields,
    {
      'safety settings are named': ['  noteSafety(request, notes)\n', ''],
    },
  ),
  ...checksOf(
    'translation',
    `${dialects}/generate/codec/decode-request/decode-response.ts`,
    fields,
    {
      'the scheduling of a result is named': ['  noteScheduling(object, notes)\n', ''],
    },
  ),
  ...checksOf('translation', `${dialects}/responses/codec/decode-request/extras.ts`, fields, {
    'a cache is not filled with an answer': ['if (prewarm === true) {', 'if (prewarm === 1) {'],
  }),
  ...checksOf('translation', `${dialects}/messages/codec/decode-request/decode-tools.ts`, fields, {
    'who may call a tool is named': [
      "if (Array.isArray(callers) && !callers.includes('direct')) {",
      'if (callers === 1) {',
    ],
  }),
]
