/** Reads JUnit XML as CI systems do, for tests of everything that writes it. */
import { readFileSync } from 'node:fs';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';

const schemaFile = new URL('../../fixtures/junit/junit.xsd', import.meta.url);

/** Throws if the text is not XML or not in the format that CI systems read. */
export function readJunit(xml: string): XmlDocument {
  using schema = XmlDocument.fromBuffer(readFileSync(schemaFile));
  using validator = XsdValidator.fromDoc(schema);
  const document = XmlDocument.fromString(xml);
  validator.validate(document);
  return document;
}
