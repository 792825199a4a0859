import { checksOf, removed } from '../mutation.ts'

const folder = 'plugins/dialects/images'
const fields = ['test/walks/images/limits-fields.test.ts']
const ofTypes = ['test/walks/images/limits-types.test.ts']
const pictures = ['test/walks/images/limits-pictures.test.ts']
const json = ['test/walks/images/json.test.ts']
const spellings = ['test/walks/images/spellings.test.ts']
const uploads = ['test/walks/images/uploads.test.ts']

/** What may be asked of image models, and which pictures they take. */
export const imageLimitChecks = [
  ...checksOf('images', `${folder}/check-values.ts`, [...fields, ...ofTypes], {
    'the length of a prompt of the legacy model': ['legacy: 1_000', 'legacy: 32_000'],
    'the length of a prompt of newer ones': ['newer: 32_000', 'newer: 64_000'],
    'a prompt is as long as its characters are many': [
      'if (length > 2 * limit || Array.from(prompt).length > limit) {',
      'if (length > limit) {',
    ],
    'what only newer models take': [
      "if (kind === 'legacy') rejectNewerFields(values)\n  else checkNewerFields(values)",
      'checkNewerFields(values)',
    ],
    'no transparent JPEG': ["=== 'transparent' && format === 'jpeg'", '=== false'],
    'no compressed PNG': ["< 100 && format === 'png'", '< 0'],
    'later models have sizes of their own': ["if (kind !== 'later') {", 'if (true) {'],
    ...removed({
      'stream is a boolean': "checkBoolean(values, 'stream')",
      'the number of images': "checkInteger(values, 'n', 1, 10)",
      'the words of a response format': "checkWord(values, 'response_format', ['url', 'b64_json'])",
      'no stream of the legacy model':
        "if (values['stream'] === true) reject(values, 'stream', 'the legacy image model')",
      'no response format of newer models':
        "if (kind !== 'legacy') reject(values, 'response_format', 'newer image models')",
      backgrounds: "checkWord(values, 'background', ['transparent', 'opaque', 'auto'])",
      'output formats': "checkWord(values, 'output_format', ['png', 'jpeg', 'webp'])",
      fidelities: "checkWord(values, 'input_fidelity', ['high', 'low'])",
      'how far an image is compressed': "checkInteger(values, 'output_compression', 0, 100)",
      'the number of partial images': "checkInteger(values, 'partial_images', 0, 3)",
      'sizes of an edit': "checkWord(values, 'size', sizes[kind])",
      'qualities of an edit': "checkWord(values, 'quality', qualities[kind])",
    }),
  }),
  ...checksOf(
    'images',
    `${folder}/check-values.ts`,
    ofTypes,
    removed({
      'sizes and qualities are texts':
        "for (const name of ['size', 'quality', 'user']) checkString(values, name)",
      'sizes of a generation': "checkWord(values, 'size', sizes.legacy)",
      'qualities of a generation': "checkWord(values, 'quality', qualities.legacy)",
    }),
  ),
  ...checksOf('images', `${folder}/check-images.ts`, pictures, {
    'one image for the legacy model': ['if (isLegacy && images.length > 1)', 'if (false)'],
    'a PNG for the legacy model': ["isLegacy ? ['image/png'] : newerTypes", 'newerTypes'],
    'a small one for the legacy model': ['isLegacy ? 4 : 50', '50'],
    'a mask is small': [
      "checkImage(mask, ['image/png'], 4)",
      "checkImage(mask, ['image/png'], 50)",
    ],
    'an image is smaller than its limit': ['content.size >= megabytes', 'content.size > megabytes'],
    'the number of pictures': ['if (images > maxImages)', 'if (false)'],
    'a square for the legacy model': ['if (facts.width !== facts.height) {', 'if (false) {'],
    'an alpha channel without a mask': ['if (!hasMask && !facts.hasAlpha) {', 'if (false) {'],
    'no alpha channel beside a mask': ['!hasMask && !facts.hasAlpha', '!facts.hasAlpha'],
    'a mask has an alpha channel': ['if (!facts.hasAlpha)', 'if (false)'],
    'a mask is as large as its image': [
      'if (!imageFacts || dimensionsOf(imageFacts) === dimensionsOf(facts)) return',
      'if (imageFacts) return',
    ],
  }),
  ...checksOf('images', `${folder}/read-image.ts`, pictures, {
    'a transparent entry of a palette': ["if (type === 'tRNS') return true", ''],
    'an alpha channel': ['if (withAlpha.includes(head[colourTypeAt])) return true', ''],
  }),
  ...checksOf('images', `${folder}/values.ts`, [...fields, ...ofTypes], {
    'a field stands once': ['if (name in values) {', 'if (false) {'],
    'a field is a text': ['if (filename !== undefined) throw invalid', 'if (false) throw invalid'],
  }),
  ...checksOf('images', `${folder}/form-images.ts`, [...ofTypes, ...spellings], {
    'one mask': ['if (masks.length > 1) {', 'if (false) {'],
    'images go by their numbers': ['indexOf(left) - indexOf(right)', 'left.start - right.start'],
    'a form without images says what its files are called': [
      'if (ordered.length === 0) checkNames(form)',
      '',
    ],
  }).map((mutation) => ({
    ...mutation,
    tests: [...mutation.tests, 'test/walks/images/file-fields.test.ts'],
  })),
  ...checksOf('images', `${folder}/json-images.ts`, [...json, ...ofTypes], {
    'either `image` or `images`': ['if (second) {', 'if (false) {'],
    'the number of pictures in JSON': ['checkCount(values.length)', ''],
    'either a URL or a file': [' || others.length > 0', ''],
  }),
  ...checksOf('images', `${folder}/json-body.ts`, json, {
    'a data URL tells what its bytes show': [
      "kind !== 'data' || data?.mediaType === image.facts?.type",
      'kind !== told',
    ],
  }),
  ...checksOf('images', `${folder}/json-body.ts`, uploads, {
    'an upload in JSON fits into memory': ['if (size > maxInlineBytes) throw', 'if (false) throw'],
    'uploads in JSON fit together': ['if (remaining < 0)', 'if (false)'],
  }),
]
