/** The path of GraphiQL; its files lie below. */
export const graphiqlPath = '/graphiql'

/** The path of `pageStyle`. It needs no session: the page to sign in uses it. */
export const stylePath = `${graphiqlPath}/page.css`

/** The style of the pages of the gateway's own. Their policy permits no style inside of a page. */
export const pageStyle = `body {
  font: 1rem/1.5 system-ui, sans-serif;
  max-width: 46rem;
  margin: 12vh auto;
  padding: 0 1.5rem;
}
h1 {
  font-size: 1.5rem;
  margin: 0 0 1.5rem;
}
label {
  display: block;
}
input {
  box-sizing: border-box;
  display: block;
  margin: 0.25rem 0 1rem;
  max-width: 30rem;
  width: 100%;
}
input,
button {
  border: 1px solid GrayText;
  border-radius: 0.25rem;
  font: inherit;
  padding: 0.4rem 0.75rem;
}
button {
  cursor: pointer;
}
pre {
  border: 1px solid GrayText;
  border-radius: 0.25rem;
  overflow-x: auto;
  padding: 0.75rem;
}
[role='alert'] {
  font-weight: 600;
}
`
