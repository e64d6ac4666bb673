/** A description of a document: paragraphs with code between backticks. */
export function Text({ children }: { children: string | undefined }) {
  if (children === undefined || children === '') return null;
  return children.split(/\n{2,}/).map((paragraph, index) => (
    <p key={index} class="text">
      <Inline text={paragraph} />
    </p>
  ));
}

/** Text outside and inside backticks alternates. */
export const Inline = ({ text }: { text: string }) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
