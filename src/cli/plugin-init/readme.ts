/** The README of a new plugin. `gateway`: the releases of the gateway that it works with. */
export function readmeOf(name: string, gateway: string): string {
  return `# ${name}

A plugin of Dragoman. It refuses requests that are too long, and writes their lengths into the access log.

## Use

Install it where the configuration of the gateway is:

\`\`\`sh
npm install ${name}
\`\`\`

\`dragoman.config.yaml\`:

\`\`\`yaml
plugins:
  - use: '${name}'
    options:
      maxCharacters: 20000
\`\`\`

In \`dragoman.config.ts\`: \`plugins: [{ use: '${name}', options: { maxCharacters: 20_000 } }]\`.

| option | default | meaning |
|---|---|---|
| \`maxCharacters\` | \`20000\` | characters of text in a request; one with more is a 422 |

\`dragoman check\` finds mistakes in the options. The plugin works with Dragoman \`${gateway}\`.

## Develop

With Node 24.9 or later. Where no registry has Dragoman, run \`npm install --save-dev /path/to/dragoman-VERSION.tgz\`
once in place of the first \`npm install\`; \`npm pack\` in a checkout of Dragoman writes this tarball.

\`\`\`sh
npm install
npm test
npm run check
\`\`\`

A gateway can run the source as it is: \`use: ./src/index.ts\`, with the path from its configuration.

## Publish

Choose a license: a file \`LICENSE\`, and \`license\` in \`package.json\`. \`npm publish\` builds \`dist\`, which is what
others install.
`
}
