import { checksOf } from '../mutation.ts'

const holding = ['test/file-references/holding.test.ts']
const refused = ['test/walks/file-references/refused.test.ts']
const missing = ['test/walks/missing-uploads.test.ts']

/** Which uploads of a request are read, and for whom. */
export const namedFileChecks = [
  ...checksOf('uploads', 'src/file-references/reference-paths.ts', holding, {
    'content nests only so deep': ['if (depth > maxDepth || typeof', 'if (typeof'],
    'a storage’s paths alone': ['found && owns(found.name) ? found : undefined', 'found'],
    'into tools is not looked': ['if (!contentMembers.has(member) || member', 'if (member'],
  }),
  ...checksOf('uploads', 'src/file-references/find-references.ts', holding, {
    'of two members the last one': [
      'found.set(name, [{ ...field',
      'found.set(name + start, [{ ...field',
    ],
  }),
  ...checksOf('uploads', 'src/file-references/index.ts', holding, {
    'a body that names no upload stays the same': [
      'return references.length === 0',
      'return references.length < 0',
    ],
    'a URL that an account reads is secure': [
      "url?.startsWith('https:') ? reference.link?.(url) : undefined",
      'url ? reference.link?.(url) : undefined',
    ],
  }).map((mutation) => ({ ...mutation, tests: [...mutation.tests, ...refused] })),
  ...checksOf('uploads', 'src/file-references/index.ts', [...holding, ...refused], {
    'the number of uploads': ['if (surplus) throw', 'if (false) throw'],
    'uploads have a size together': ['if (left < 0) throw', 'if (false) throw'],
    'an upload counts each time': ['left -= size * uses.length', 'left -= size'],
  }),
  ...checksOf('uploads', 'src/file-references/read-reference.ts', [...holding, ...refused], {
    'the size of an upload': ['if (size > maxBytes) {', 'if (false) {'],
    'what is too large is not read': ['stream.destroy()\n    return', 'return'],
    'an upload is what its bytes show': ['detectType(bytes) ?? ', ''],
    'a server that knows nothing of a file': ['&& essenceOf(each) !== unknownType', ''],
  }),
  ...checksOf('uploads', 'src/storage/read-opened.ts', holding, {
    'an upload that ends early': ['if (length !== size) throw', 'if (false) throw'],
    'an upload that breaks off': [
      '  } catch (cause) {\n    throw readFailed(cause)\n  }',
      '  } finally {\n  }',
    ],
  }),
  ...checksOf('uploads', 'src/storage/read-opened.ts', missing, {
    'the field that names what is not there': [
      'GatewayError.isInstance(error) ? withField(upload, error) : error',
      'GatewayError.isInstance(error) && about ? error : error',
    ],
  }),
]
