declare module "*.css";
declare module "*.sql";
declare module "*.md" {
  const text: string;
  export default text;
}
